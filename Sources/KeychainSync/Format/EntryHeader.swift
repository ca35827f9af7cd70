/// The unencrypted start of an entry; 138 bytes including the byte count of the body.
///
/// - Source: Documentation/Spec/sync.md §4.
package struct EntryHeader: Sendable, Hashable {
    package enum Kind: UInt8, Sendable, Hashable {
        case segment = 1
        case request = 2
        /// The author leaves the circle; the entry has no body, and counts whatever the chain is.
        case leave = 3
    }

    static let magic = Array("KSYN".utf8)
    static let version: UInt8 = 2
    package static let byteCount = 138
    /// The most bytes of a body: 16 MiB.
    package static let bodyByteCountLimit = 1 << 24

    package let kind: Kind
    package let account: AccountName
    package let stream: StreamName
    package let number: UInt64
    /// SHA-256 of the entry before it; zeros for the first.
    package let previous: SyncDigest
    /// The end of the chain when the author wrote a segment; zeros for the other kinds.
    package let link: SyncDigest

    package init(
        _ kind: Kind,
        _ account: AccountName,
        _ place: EntryPlace,
        previous: SyncDigest,
        link: SyncDigest = .zeros
    ) {
        self.kind = kind
        self.account = account
        stream = place.stream
        number = place.number
        self.previous = previous
        self.link = link
    }

    package var place: EntryPlace { EntryPlace(stream, number) }

    /// Encodes the header, with the byte count of its body.
    func encoded(bodyByteCount: Int) throws(SyncError) -> [UInt8] {
        guard bodyByteCount <= Self.bodyByteCountLimit else { throw .tooLarge }
        var writer = FieldWriter()
        writer.append(Self.magic)
        writer.append(Self.version)
        writer.append(kind.rawValue)
        writer.append(account)
        writer.append(stream)
        writer.append(number)
        writer.append(previous)
        writer.append(link)
        writer.append(UInt32(bodyByteCount))
        return writer.bytes()
    }

    init(_ reader: inout FieldReader<ArraySlice<UInt8>>) throws(SyncError) {
        try reader.expect(Self.magic, "it is no entry of a stream")
        let version = try reader.integer(UInt8.self)
        guard version == Self.version else {
            throw reader.damaged("its version is \(version); this program knows \(Self.version)")
        }
        guard let kind = Kind(rawValue: try reader.integer(UInt8.self)) else {
            throw reader.damaged("its kind is unknown")
        }
        self.kind = kind
        account = try reader.name(AccountName.self)
        stream = try reader.name(StreamName.self)
        number = try reader.integer(UInt64.self)
        previous = try reader.name(SyncDigest.self)
        link = try reader.name(SyncDigest.self)
        guard kind == .segment || link == .zeros else {
            throw reader.damaged("it names a link and is no segment")
        }
    }
}
