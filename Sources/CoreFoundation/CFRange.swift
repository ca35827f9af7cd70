import Foundation

/// A part of a sequence: its start and its length.
public struct CFRange: Hashable, Sendable {
    /// The first position.
    public var location: CFIndex
    /// The number of elements.
    public var length: CFIndex

    /// Creates an empty range at the start.
    public init() { self.init(location: 0, length: 0) }

    /// Creates a range.
    public init(location: CFIndex, length: CFIndex) {
        self.location = location
        self.length = length
    }

    /// The same range for Foundation.
    var foundation: NSRange { NSRange(location: location, length: length) }
}

/// Returns the range of a length at a position.
@discardableResult
public func CFRangeMake(_ loc: CFIndex, _ len: CFIndex) -> CFRange {
    CFRange(location: loc, length: len)
}
