/// The name of a stream: the device that writes it, and 8 random bytes; 40 bytes.
///
/// A device begins another stream if the relay already has a different entry at its next place.
///
/// - Source: Documentation/Spec/sync.md §1.
package struct StreamName: SyncName {
    package static let byteCount = KeyName.byteCount + randomByteCount
    package static let randomByteCount = 8

    /// The device that writes the stream.
    package let device: KeyName
    private let number: UInt64

    package var bytes: [UInt8] {
        device.bytes
            + stride(from: 56, through: 0, by: -8).map {
                UInt8(truncatingIfNeeded: number >> UInt64($0))
            }
    }

    package init(unchecked bytes: [UInt8]) {
        device = KeyName(unchecked: Array(bytes.prefix(KeyName.byteCount)))
        number = bytes.dropFirst(KeyName.byteCount).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Creates the name of a stream from 8 random bytes.
    package init(of device: KeyName, _ random: [UInt8]) {
        self.init(unchecked: device.bytes + random.prefix(Self.randomByteCount))
    }

    package static func < (first: Self, second: Self) -> Bool {
        (first.device, first.number) < (second.device, second.number)
    }
}
