import Cryptography
import KeychainMessages

/// Chunks that are to replace committed ones, stored in the file until they have.
///
/// - Source: Documentation/Spec/file.md §6.
struct RedoRecord {
    static let endByteCount = 40
    /// The largest number of chunks in one record; twice what a flush collects.
    static let chunkLimit = 32

    private static let magic = Array("swprotrd".utf8)
    private static let entryByteCount = 24

    /// One chunk of the record.
    struct Entry: Equatable {
        let chunk: UInt32
        /// The offset of its sealed bytes in the file.
        let offset: Int
        let byteCount: Int
    }

    let slot: HeaderSlot
    let state: FileState
    let image: [UInt8]
    let entries: [Entry]

    /// Returns the bytes behind the sealed chunks: slot, table and end mark.
    static func tail(
        at offset: Int,
        _ chunks: [(number: UInt32, sealed: UnsafeRawBufferPointer)],
        _ image: [UInt8],
        _ keys: FileKeys,
        _ file: FileIdentifier
    ) throws(CryptographyError) -> [UInt8] {
        var table: [UInt8] = []
        for chunk in chunks {
            table += BigEndian.bytes(chunk.number) + BigEndian.bytes(UInt32(chunk.sealed.count))
            table += chunk.sealed[(chunk.sealed.endIndex - 16)...]
        }
        let end =
            magic + BigEndian.bytes(UInt64(offset))
            + BigEndian.bytes(UInt32(chunks.count)) + [0, 0, 0, 0] + image.suffix(16)
        return image + (try keys.seal(table, authenticating: file.bytes + end)) + end
    }

    /// Finds the record at the end of a file; nil if there is no valid one.
    static func find(
        in file: RawFile,
        _ keys: FileKeys,
        after slot: HeaderSlot
    ) throws(FileFailure) -> RedoRecord? {
        let byteCount = try file.byteCount()
        guard byteCount > FileLayout.firstChunk + endByteCount else { return nil }
        let end = try file.bytes(endByteCount, at: byteCount - endByteCount)
        guard end.count == endByteCount, end.starts(with: magic) else { return nil }
        let place: UInt64 = BigEndian.number(end, at: 8)
        let count = Int(BigEndian.number(end, at: 16) as UInt32)
        guard (1...chunkLimit).contains(count), place < UInt64(byteCount) else { return nil }
        let sealedCount = count * entryByteCount + ChunkCipher.overhead
        let tableOffset = byteCount - endByteCount - sealedCount
        let slotOffset = tableOffset - FileLayout.slotByteCount
        guard slotOffset > Int(place) else { return nil }
        let authenticated = slot.key.file.bytes + end
        let sealed = try file.bytes(sealedCount, at: tableOffset)
        let image = try file.bytes(FileLayout.slotByteCount, at: slotOffset)
        guard let table = keys.open(sealed, authenticating: authenticated),
            image.suffix(16) == end.suffix(16), let next = try? HeaderSlot(image),
            next.key.file == slot.key.file, let state = keys.state(image),
            next.sequence == slot.sequence || next.sequence &- 1 == slot.sequence,
            place >= UInt64(FileLayout.end(state.length))
        else { return nil }
        let entries = try entries(table, from: Int(place), to: slotOffset, in: file)
        guard let entries, try areWhole(entries, of: state, in: file, keys) else { return nil }
        return
            RedoRecord(slot: next, state: state, image: image, entries: entries)
    }

    /// Whether each chunk belongs to the header and opens.
    ///
    /// The end of a record may be durable before its beginning.
    private static func areWhole(
        _ entries: [Entry],
        of state: FileState,
        in file: RawFile,
        _ keys: FileKeys
    ) throws(FileFailure) -> Bool {
        let buffer = ChunkBuffer()
        for entry in entries {
            guard state.hasBytes(entry.chunk) else { return false }
            let count = FileLayout.byteCount(of: entry.chunk, in: state.length)
            let sealed = try file.bytes(entry.byteCount, at: entry.offset)
            guard sealed.count == count + ChunkCipher.overhead else { return false }
            do throws(CryptographyError) {
                try sealed.withRawBytes { sealed throws(CryptographyError) in
                    try keys.open(entry.chunk, sealed, into: buffer.prefix(count))
                }
            } catch { return false }
        }
        return true
    }

    /// Returns the chunks that a table names; nil unless all exist.
    private static func entries(
        _ table: [UInt8],
        from start: Int,
        to end: Int,
        in file: RawFile
    ) throws(FileFailure) -> [Entry]? {
        var entries: [Entry] = []
        var offset = start
        for place in stride(from: 0, to: table.count, by: entryByteCount) {
            let count = Int(BigEndian.number(table, at: place + 4) as UInt32)
            guard (ChunkCipher.overhead...FileLayout.sealedChunkByteCount).contains(count),
                offset + count <= end
            else { return nil }
            let tag = try file.bytes(16, at: offset + count - 16)
            guard tag == Array(table[place + 8..<place + 24]) else { return nil }
            let chunk: UInt32 = BigEndian.number(table, at: place)
            entries.append(Entry(chunk: chunk, offset: offset, byteCount: count))
            offset += count
        }
        return offset == end ? entries : nil
    }
}
