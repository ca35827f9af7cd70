/// What an entry of a stream shows to everybody; 98 bytes with the byte count of the body.
///
/// - Source: Documentation/Spec/sync.md §3.
package struct EntryHeader: Sendable, Hashable {
    package enum Kind: UInt8, Sendable, Hashable {
        case segment = 1
        case keys = 2
        case request = 3
    }

    static let magic = Array("KSYN".utf8)
    static let version: UInt8 = 1
    package static let byteCount = 98
    /// The most a body has.
    package static let bodyByteCountLimit = 1 << 24

    package let kind: Kind
    package let account: AccountName
    /// Whose stream it is.
    package let peer: PeerName
    package let number: UInt64
    /// SHA-256 of the entry before it; zeros for the first.
    package let previous: SyncDigest
    /// What a segment is sealed under; zeros for other kinds.
    package let epoch: EpochName

    package init(
        _ kind: Kind,
        _ account: AccountName,
        _ place: EntryPlace,
        previous: SyncDigest,
        epoch: EpochName = .zeros
    ) {
        self.kind = kind
        self.account = account
        peer = place.peer
        number = place.number
        self.previous = previous
        self.epoch = epoch
    }

    package var place: EntryPlace { EntryPlace(peer, number) }

    /// The bytes in front of a body.
    func encoded(bodyByteCount: Int) throws(SyncError) -> [UInt8] {
        guard bodyByteCount <= Self.bodyByteCountLimit else { throw .tooLarge }
        var writer = FieldWriter()
        writer.append(Self.magic)
        writer.append(Self.version)
        writer.append(kind.rawValue)
        writer.append(account)
        writer.append(peer)
        writer.append(number)
        writer.append(previous)
        writer.append(epoch)
        writer.append(UInt32(bodyByteCount))
        return writer.bytes()
    }

    init(_ reader: inout FieldReader<ArraySlice<UInt8>>) throws(SyncError) {
        try reader.expect(Self.magic, "it is no entry of a stream")
        let version = try reader.integer(UInt8.self)
        guard version == Self.version else {
            throw reader.damaged("its version is \(version); this program knows 1")
        }
        guard let kind = Kind(rawValue: try reader.integer(UInt8.self)) else {
            throw reader.damaged("its kind is unknown")
        }
        self.kind = kind
        account = try reader.name(AccountName.self)
        peer = try reader.name(PeerName.self)
        number = try reader.integer(UInt64.self)
        previous = try reader.name(SyncDigest.self)
        epoch = try reader.name(EpochName.self)
        guard kind == .segment || epoch == .zeros else {
            throw reader.damaged("it names an epoch and is no segment")
        }
    }
}
