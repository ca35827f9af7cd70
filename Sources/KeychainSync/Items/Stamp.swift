/// The time of a change, for ordering changes.
///
/// A change gets a later stamp than the version it replaces, even if a device's clock is wrong.
///
/// - Source: Documentation/Spec/sync.md §4.2.
package struct Stamp: Sendable, Hashable, Comparable {
    /// The last millisecond of the year 9999; no stamp is later.
    package static let lastMilliseconds: UInt64 = 253_402_300_799_999

    /// The milliseconds since 1970.
    package let milliseconds: UInt64
    /// Orders changes in the same millisecond, and changes by a device whose clock is behind.
    package let counter: UInt32

    /// Creates a stamp; nil for a time after the year 9999.
    package init?(milliseconds: UInt64, counter: UInt32) {
        guard milliseconds <= Self.lastMilliseconds else { return nil }
        self.milliseconds = milliseconds
        self.counter = counter
    }

    /// Creates the stamp of a local change.
    ///
    /// - Parameters:
    ///   - modified: The modification date in milliseconds since 1970.
    ///   - replaced: The stamp of the version that the device had; nil for a new item.
    package init(modified: Int64, replacing replaced: Stamp?) {
        let wall = min(UInt64(clamping: modified), Self.lastMilliseconds)
        guard let replaced, replaced.milliseconds >= wall else {
            milliseconds = wall
            counter = 0
            return
        }
        let isFull = replaced.counter == .max && replaced.milliseconds < Self.lastMilliseconds
        milliseconds = isFull ? replaced.milliseconds + 1 : replaced.milliseconds
        counter = isFull ? 0 : replaced.counter &+ (replaced.counter == .max ? 0 : 1)
    }

    package static func < (first: Stamp, second: Stamp) -> Bool {
        (first.milliseconds, first.counter) < (second.milliseconds, second.counter)
    }
}
