import Cryptography
import KeychainMessages

@testable import ProtectedFiles

extension FuzzTarget {
    /// The redo record (`RecordInput`) of a file with a hole and a chunk of 100 bytes.
    ///
    /// The target seals chunks, slot and table.
    ///
    /// Its chunks are the new header's, it lies behind them, and a writer carries out what a
    /// reader sees.
    static let redoRecord = FuzzTarget(name: "redo-record") { bytes throws(BrokenLaw) in
        var reader = InputReader(bytes)
        let input = RecordInput(&reader)
        let file = try FixedFile()
        let base = try RecordInput.base()
        try file.put(base.image + base.image, at: 0)
        let chunk = try FixedFile.sealed(1, [UInt8](repeating: 7, count: 100), base.keys)
        try file.put(chunk, at: FileLayout.offset(of: 1))
        let end = input.place(behind: base.state.length)
        try file.put(try input.record(at: end, base.slot, base.keys), at: end)
        let record: RedoRecord?
        do throws(FileFailure) {
            let raw = try RawFile(opening: file.path, isWritable: false)
            record = try RedoRecord.find(in: raw, base.keys, after: base.slot)
        } catch {
            throw BrokenLaw(law: "a record is there or not: \(error)")
        }
        for entry in record?.entries ?? [] {
            guard let state = record?.state else { break }
            try require(state.hasBytes(entry.chunk), "a chunk of a record is the header's")
            try require(
                entry.offset >= FileLayout.end(state.length)
                    && entry.offset + entry.byteCount <= file.byteCount,
                "a chunk of a record is behind the others"
            )
        }
        let offsets = record?.entries.map { Int($0.chunk) << FileLayout.chunkBits } ?? []
        let opens = try file.checkRepair(at: offsets)
        try require(opens, "a file with any record opens")
        return record == nil ? .refused : .accepted
    }
}

/// A redo record before it is sealed.
///
/// It has a byte of changes, the sequence number of the new slot, its sealed part as `SlotInput`
/// has it, and a byte with the number of chunks. Each chunk has its number (4 bytes), the size of
/// its content (2), and what its size in the table differs by (1). Last is what the changes need.
private struct RecordInput {
    /// What of the record is not as it belongs.
    struct Changes: OptionSet {
        let rawValue: UInt8
        static let place = Changes(rawValue: 1)
        static let count = Changes(rawValue: 2)
        static let slotTag = Changes(rawValue: 4)
        static let chunkTags = Changes(rawValue: 8)
        static let file = Changes(rawValue: 16)
    }

    struct Chunk {
        let number: UInt32
        let size: Int
        let difference: Int8
    }

    let changes: Changes
    let sequence: UInt8
    let state: [UInt8]
    var chunks: [Chunk] = []
    let number: UInt64

    init(_ reader: inout InputReader) {
        changes = Changes(rawValue: reader.byte())
        sequence = reader.byte()
        state = SlotInput.state(&reader)
        for _ in 0..<Int(reader.byte() % 40) {
            let number = (0..<4).reduce(0 as UInt32) { number, _ in
                number << 8 | UInt32(reader.byte())
            }
            let size = Int(reader.byte()) << 8 | Int(reader.byte())
            let difference = Int8(bitPattern: reader.byte())
            chunks.append(Chunk(number: number, size: size, difference: difference))
        }
        number = reader.number()
    }

    /// A file of two chunks, the first a hole.
    static func base() throws(BrokenLaw) -> (
        slot: HeaderSlot, state: FileState, keys: FileKeys, image: [UInt8]
    ) {
        guard let name = FileIdentifier(Array(0x80...0x8F)) else {
            throw BrokenLaw(law: "16 bytes are the name of a file")
        }
        let key = WrappedFileKey(
            .complete,
            file: name,
            group: "TEAM.app",
            keySet: [UInt8](repeating: 9, count: 16),
            ephemeralPublicKey: [],
            wrapped: [UInt8](repeating: 7, count: 40)
        )
        let (slot, keys) = (HeaderSlot(sequence: 4, key: key), try FixedFile.keys(of: name))
        var state = FileState()
        state.length = FileLayout.chunkByteCount + 100
        state.holes.insert(0)
        let image = try FixedFile.made { () throws(CryptographyError) in
            try keys.image(slot, state)
        }
        return (slot, state, keys, image)
    }

    /// Where the record is: behind the chunks of both headers, unless that is far away.
    func place(behind length: Int) -> Int {
        let next = FileState(state)?.length ?? 0
        let isNear = next < 64 << FileLayout.chunkBits
        return FileLayout.end(max(length, isNear ? next : 0))
    }

    /// The record as the disk has it.
    func record(
        at place: Int,
        _ base: HeaderSlot,
        _ keys: FileKeys
    ) throws(BrokenLaw) -> [UInt8] {
        var (table, sealed) = ([UInt8](), [UInt8]())
        for chunk in chunks {
            let content = [UInt8](
                repeating: UInt8(truncatingIfNeeded: chunk.size),
                count: chunk.size
            )
            let bytes = try FixedFile.sealed(chunk.number, content, keys)
            let stated = UInt32(truncatingIfNeeded: bytes.count + Int(chunk.difference))
            table += BigEndian.bytes(chunk.number) + BigEndian.bytes(stated)
            table +=
                changes.contains(.chunkTags) ? [UInt8](repeating: 1, count: 16) : bytes.suffix(16)
            sealed += bytes
        }
        var slot = HeaderSlot(sequence: UInt64(sequence), key: base.key)
        if changes.contains(.file) { slot.key = Self.other(slot.key) }
        let plain = Array(slot.plainBytes)
        let image = try FixedFile.made { () throws(CryptographyError) in
            try plain + keys.seal(state, authenticating: plain)
        }
        var end = Array("swprotrd".utf8)
        end += BigEndian.bytes(changes.contains(.place) ? number : UInt64(place))
        let count =
            changes.contains(.count) ? UInt32(truncatingIfNeeded: number) : UInt32(chunks.count)
        end += BigEndian.bytes(count) + [0, 0, 0, 0]
        end += changes.contains(.slotTag) ? [UInt8](repeating: 2, count: 16) : image.suffix(16)
        let authenticated = base.key.file.bytes + end
        let sealedTable = try FixedFile.made { () throws(CryptographyError) in
            try keys.seal(table, authenticating: authenticated)
        }
        return sealed + image + sealedTable + end
    }

    private static func other(_ key: WrappedFileKey) -> WrappedFileKey {
        WrappedFileKey(
            key.fileClass,
            file: FileIdentifier([UInt8](repeating: 3, count: 16)) ?? key.file,
            group: key.group,
            keySet: key.keySet,
            ephemeralPublicKey: key.ephemeralPublicKey,
            wrapped: key.wrapped
        )
    }
}
