import Testing

/// A named change after which bytes are no longer what they were.
package struct ByteChange: Sendable, CustomTestStringConvertible {
    package let testDescription: String
    private let change: @Sendable ([UInt8]) -> [UInt8]

    package init(_ name: String, _ change: @escaping @Sendable ([UInt8]) -> [UInt8]) {
        testDescription = name
        self.change = change
    }

    package func callAsFunction(_ bytes: some Sequence<UInt8>) -> [UInt8] { change(Array(bytes)) }

    package static let emptied = ByteChange("nothing is left") { _ in [] }
    package static let oneZeroLeft = ByteChange("one zero is left") { _ in [0] }
    package static let firstByteMissing = ByteChange("the first byte is missing") {
        Array($0.dropFirst())
    }
    package static let lastByteMissing = ByteChange("the last byte is missing") {
        Array($0.dropLast())
    }
    package static let oneByteBefore = ByteChange("one byte comes before") { [0] + $0 }
    package static let oneByteMore = ByteChange("one byte follows") { $0 + [0] }
    package static let twice = ByteChange("it follows itself") { $0 + $0 }
    package static let firstByteDiffers = differing("the first byte differs") { _ in 0 }
    package static let secondByteDiffers = differing("the second byte differs") { _ in 1 }
    package static let middleByteDiffers = differing("the middle byte differs") { $0 / 2 }
    package static let lastByteDiffers = differing("the last byte differs") { $0 - 1 }

    /// Other bytes in their place.
    package static func replaced(by bytes: [UInt8], _ name: String) -> ByteChange {
        ByteChange(name) { _ in bytes }
    }

    private static func differing(
        _ name: String,
        at place: @escaping @Sendable (_ byteCount: Int) -> Int
    ) -> ByteChange {
        ByteChange(name) { bytes in
            var changed = bytes
            changed[place(bytes.count)] ^= 1
            return changed
        }
    }
}
