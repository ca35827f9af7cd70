import Cryptography
import Secrets

// Encodes, seals and opens segments.
//
// Source: Documentation/Spec/sync.md §4.1.
extension SignedEntry {
    /// The number of changes at which a writer ends a segment.
    package static let changeCountGoal = 512
    package static let contentByteCountGoal = 1 << 20

    /// Seals and signs a segment.
    ///
    /// - Parameters:
    ///   - segment: The content.
    ///   - header: The header, of kind segment and with the link.
    ///   - key: The key in force at the link, 32 bytes.
    ///   - nonce: 12 random bytes.
    ///   - signer: The device that writes the stream.
    /// - Throws: `tooLarge`, `backend`, or an error of the signer.
    package init(
        _ segment: Segment<ItemChange>,
        _ header: EntryHeader,
        under key: borrowing Secret,
        nonce: [UInt8],
        by signer: some PeerSigner
    ) throws(SyncError) {
        let writer = try SegmentFormat.encode(segment)
        let byteCount = SizeBucket.byteCount(for: writer.byteCount)
        let plaintext = writer.secret(filledTo: byteCount)
        let body = try Self.seal(plaintext, header, under: key, nonce: nonce)
        try self.init(header, body: body, by: signer)
    }

    /// Opens a segment with the key in force at the link that the header names.
    ///
    /// It throws `damaged` if the key does not open it or the content breaks the format.
    package func segment(under key: borrowing Secret) throws(SyncError) -> Segment<ItemChange> {
        let plaintext = try open(under: key)
        return try plaintext.withUnsafeBytes { bytes throws(SyncError) in
            try SegmentFormat.decode(bytes, of: header)
        }
    }

    static func seal(
        _ plaintext: borrowing Secret,
        _ header: EntryHeader,
        under key: borrowing Secret,
        nonce: [UInt8]
    ) throws(SyncError) -> [UInt8] {
        let overhead = AESGCM.nonceByteCount + AESGCM.tagByteCount
        let authenticated = try header.encoded(bodyByteCount: plaintext.byteCount + overhead)
        do throws(CryptographyError) {
            return nonce
                + (try AESGCM.seal(
                    plaintext,
                    key: key,
                    nonce: nonce,
                    authenticating: authenticated
                ))
        } catch { throw .backend("\(error)") }
    }

    func open(under key: borrowing Secret) throws(SyncError) -> Secret {
        do throws(CryptographyError) {
            return try AESGCM.open(
                body.dropFirst(AESGCM.nonceByteCount),
                key: key,
                nonce: body.prefix(AESGCM.nonceByteCount),
                authenticating: headerBytes
            )
        } catch { throw SyncError(error, opening: "entry \(header.number)") }
    }
}

enum SegmentFormat {
    static let changeCountLimit = 4096
    static let headCountLimit = 64

    static func encode(_ segment: Segment<ItemChange>) throws(SyncError) -> FieldWriter {
        var writer = FieldWriter()
        writer.append(segment.isCheckpoint)
        guard let headCount = UInt16(exactly: segment.heads.count),
            segment.heads.count <= headCountLimit,
            segment.changes.count <= changeCountLimit
        else { throw .tooLarge }
        writer.append(headCount)
        for (stream, head) in segment.heads.sorted(by: { $0.key < $1.key }) {
            writer.append(stream)
            writer.append(head.entryCount)
            writer.append(head.digest)
        }
        writer.append(UInt32(segment.changes.count))
        for change in segment.changes { try encode(change, &writer) }
        return writer
    }

    private static func encode(
        _ change: ItemChange,
        _ writer: inout FieldWriter
    ) throws(SyncError) {
        let letters = Array(change.content.classLetters.utf8)
        guard letters.count == 4 else { throw .backend("a class has not four letters") }
        writer.append(change.mark.item)
        writer.append(change.mark.version.stamp.milliseconds)
        writer.append(change.mark.version.stamp.counter)
        writer.append(change.mark.version.digest)
        writer.append(change.mark.isTombstone)
        writer.append(letters)
        writer.append(change.content.protection)
        try writer.append(change.content.attributes, countedBy: UInt32.self)
        guard let value = change.content.value else { return writer.append(0 as UInt32) }
        guard let count = UInt32(exactly: value.secret.byteCount) else { throw .tooLarge }
        writer.append(count)
        writer.append(value)
    }

    static func decode(
        _ bytes: UnsafeRawBufferPointer,
        of header: EntryHeader
    ) throws(SyncError) -> Segment<ItemChange> {
        var reader = FieldReader(bytes[...], of: "segment \(header.number)")
        var segment = Segment<ItemChange>()
        segment.isCheckpoint = try reader.flag()
        var last: StreamName?
        let headCount = try reader.integer(UInt16.self)
        guard headCount <= headCountLimit else { throw reader.damaged("too many heads") }
        for _ in 0..<headCount {
            let stream = try reader.name(StreamName.self)
            guard last.map({ $0 < stream }) ?? true else { throw reader.damaged("unsorted heads") }
            last = stream
            let count = try reader.integer(UInt64.self)
            let digest = try reader.name(SyncDigest.self)
            segment.heads[stream] = StreamHead(entryCount: count, digest: digest)
        }
        let changeCount = try reader.integer(UInt32.self)
        guard changeCount <= changeCountLimit else { throw reader.damaged("too many changes") }
        var items: Set<ItemName> = []
        for _ in 0..<changeCount {
            let change = try decodeChange(&reader)
            guard items.insert(change.mark.item).inserted else {
                throw reader.damaged("an item changes twice")
            }
            segment.changes.append(change)
        }
        try reader.finishFilled()
        return segment
    }

    private static func decodeChange(
        _ reader: inout FieldReader<Slice<UnsafeRawBufferPointer>>
    ) throws(SyncError) -> ItemChange {
        let item = try reader.name(ItemName.self)
        let milliseconds = try reader.integer(UInt64.self)
        let counter = try reader.integer(UInt32.self)
        guard let stamp = Stamp(milliseconds: milliseconds, counter: counter) else {
            throw reader.damaged("a change is after the year 9999")
        }
        let version = ItemVersion(stamp, try reader.name(SyncDigest.self))
        let isTombstone = try reader.flag()
        guard let letters = String(validating: try reader.slice(4), as: UTF8.self) else {
            throw reader.damaged("a class is no text")
        }
        let protection = try reader.integer(UInt8.self)
        let attributes = Array(try reader.counted(UInt32.self))
        let value = try reader.counted(UInt32.self)
        guard !isTombstone || value.isEmpty else {
            throw reader.damaged("a tombstone has a value")
        }
        let content = ItemContent(
            classLetters: letters,
            protection: protection,
            isTombstone: isTombstone,
            attributes: attributes,
            value: isTombstone
                ? nil : SharedSecret(Secret(copying: UnsafeRawBufferPointer(rebasing: value)))
        )
        let mark = ChangeMark(item: item, version: version, isTombstone: isTombstone)
        return ItemChange(mark, content)
    }
}
