import KeychainSync

@testable import SyncRelay

/// A link of a test, which is any bytes, with its boxes.
struct TestLink: Sendable {
    let place: LinkPlace
    let bytes: [UInt8]
    let boxes: [UInt8]?

    /// Links with one number and different twins have different bytes.
    init(_ number: UInt64, twin: UInt8 = 0, byteCount: Int = 200, boxes: [UInt8]? = nil) throws {
        let start = [
            twin, UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8),
        ]
        try self.init(
            number,
            bytes: start + [UInt8](repeating: 0x4C, count: byteCount - 3),
            boxes: boxes
        )
    }

    init(_ number: UInt64, bytes: [UInt8], boxes: [UInt8]? = nil) throws {
        self.bytes = bytes
        self.boxes = boxes
        place = try LinkPlace(number: number, of: bytes)
    }

    /// Where its boxes are.
    var boxesPlace: LinkPlace {
        get throws { try LinkPlace(number: place.number, of: boxes ?? []) }
    }

    func put(to relay: any Relay) throws {
        try relay.put(bytes, boxes: boxes, at: place)
    }
}

extension Relay {
    /// All links that the relay has, by their places.
    func allLinks() throws -> [LinkPlace: [UInt8]] {
        let found = try links(at: try links())
        return Dictionary(uniqueKeysWithValues: found.map { ($0.place, $0.bytes) })
    }
}

extension [TestLink] {
    /// What a relay returns that has them all.
    var byPlace: [LinkPlace: [UInt8]] {
        Dictionary(uniqueKeysWithValues: map { ($0.place, $0.bytes) })
    }
}
