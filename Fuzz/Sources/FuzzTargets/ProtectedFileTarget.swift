import Cryptography
import KeychainMessages

@testable import ProtectedFiles

extension FuzzTarget {
    /// The header of a protected file, and its first chunk; the target seals both.
    ///
    /// The input is a byte whose first bit says that the slots differ, each slot (`SlotInput`),
    /// and the content of the chunk.
    ///
    /// A slot is written as it was read, and a writer mends a file without changing it.
    static let protectedFile = FuzzTarget(name: "protected-file") { bytes throws(BrokenLaw) in
        var reader = InputReader(bytes)
        let differs = reader.byte() & 1 == 1
        let first = SlotInput(&reader)
        let second = differs ? SlotInput(&reader) : first
        let file = try FixedFile()
        try file.put(try first.checked(), at: 0)
        try file.put(try second.checked(), at: FileLayout.slotByteCount)
        let content = reader.bytes(atMost: FileLayout.chunkByteCount)
        if let identifier = first.identifier, !content.isEmpty {
            let keys = try FixedFile.keys(of: identifier)
            try file.put(try FixedFile.sealed(0, content, keys), at: FileLayout.firstChunk)
        }
        return try file.checkRepair() ? .accepted : .refused
    }
}

/// A header slot without the zeros that pad its parts.
///
/// It has 128 bytes of fields, a byte for the size of the group, the group, 40 bytes of the sealed
/// part, a byte for the number of holes, and those.
struct SlotInput {
    /// The first 640 bytes.
    var plain: [UInt8]
    /// What is to be sealed.
    let state: [UInt8]

    init(_ reader: inout InputReader) {
        let fields = Self.padded(reader.bytes(atMost: 128), 128)
        let group = reader.bytes(atMost: Int(reader.byte()))
        plain = Self.padded(fields + group, HeaderSlot.plainByteCount)
        state = Self.state(&reader)
    }

    /// The sealed part alone.
    static func state(_ reader: inout InputReader) -> [UInt8] {
        let start = padded(reader.bytes(atMost: 40), 40)
        let holes = reader.bytes(atMost: 8 * Int(reader.byte()))
        return padded(start + holes, FileState.byteCount)
    }

    private static func padded(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: max(0, count - bytes.count))
    }

    var identifier: FileIdentifier? { FileIdentifier([UInt8](plain[16..<32])) }

    /// The slot as the disk has it.
    func image(_ keys: FileKeys) throws(BrokenLaw) -> [UInt8] {
        let sealed = try FixedFile.made { () throws(CryptographyError) in
            try keys.seal(state, authenticating: plain)
        }
        return plain + sealed
    }

    /// The same, after it was read and written again.
    func checked() throws(BrokenLaw) -> [UInt8] {
        guard let identifier else { return plain + state }
        let keys = try FixedFile.keys(of: identifier)
        let image = try image(keys)
        if let slot = try? HeaderSlot(image) {
            try require(Array(slot.plainBytes) == plain, "a slot is written as it was read")
            try require(slot.isWritable, "what is read can be written")
        }
        if let read = keys.state(image) {
            try require(read.bytes == state, "a sealed part is written as it was read")
            try require(
                read.length <= FileLayout.byteCountLimit,
                "the content has a length that a file can have"
            )
        }
        return image
    }
}
