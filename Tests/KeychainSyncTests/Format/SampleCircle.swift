import Cryptography
import Secrets

@testable import KeychainSync

/// A circle of one device, with a key for its first epoch.
struct SampleCircle {
    let founder: SoftwareSigner
    let recovery: SoftwareSigner
    let founding: Statement
    let code: SyncCode
    let account: AccountName
    let epoch: EpochName
    let nonce = [UInt8](repeating: 9, count: 12)

    init() throws {
        epoch = try EpochName(of: Secret(copying: [UInt8](repeating: 5, count: 32)))
        founder = try Self.signer()
        recovery = try Self.signer()
        founding = try Statement(
            .found(
                random: [UInt8](repeating: 3, count: 16),
                founder: founder.keys,
                deviceName: "desk",
                recovery: recovery.keys
            ),
            generation: 0,
            entry: 0,
            in: .zeros,
            by: founder
        )
        code = try SyncCode(circleOf: founding.encoded)
        account = try code.account()
    }

    static func signer() throws -> SoftwareSigner {
        try SoftwareSigner(
            signing: .generate(.ellipticCurve(.p256)),
            agreement: .generate(.ellipticCurve(.p256))
        )
    }

    var epochKey: Secret { Secret(copying: [UInt8](repeating: 5, count: 32)) }

    func header(
        _ kind: EntryHeader.Kind,
        number: UInt64 = 0,
        of signer: SoftwareSigner? = nil
    ) throws -> EntryHeader {
        EntryHeader(
            kind,
            account,
            EntryPlace(try (signer ?? founder).name(), number),
            previous: .zeros,
            epoch: kind == .segment ? epoch : .zeros
        )
    }

    /// A segment with the founding statement, one password and one tombstone.
    func segment() throws -> Segment<ItemChange> {
        var segment = Segment<ItemChange>()
        segment.statements = [founding]
        segment.heads[try recovery.name()] = StreamHead(entryCount: 4, digest: try digest("head"))
        segment.changes = [
            try change("mail", "password 1"), try change("old", nil),
        ]
        return segment
    }

    func digest(_ text: String) throws -> SyncDigest { try SyncDigest(of: Array(text.utf8)) }

    private func change(_ name: String, _ value: String?) throws -> ItemChange {
        let stamp = try require2(Stamp(milliseconds: 1_700_000_000_000, counter: 2))
        let mark = ChangeMark(
            item: ItemName(unchecked: try digest(name).bytes),
            version: ItemVersion(stamp, try digest(name + (value ?? ""))),
            isTombstone: value == nil
        )
        let content = ItemContent(
            classLetters: "clas",
            protection: 6,
            isTombstone: value == nil,
            attributes: Array(name.utf8),
            value: value.map { SharedSecret(Secret(copying: $0.utf8)) }
        )
        return ItemChange(mark, content)
    }

    /// What a relay shows of an entry.
    func shown(_ entry: SignedEntry, number: UInt64 = 0) throws -> UnverifiedEntry {
        try UnverifiedEntry(
            entry.bytes,
            of: account,
            at: EntryPlace(entry.header.peer, number),
            after: .zeros
        )
    }
}

/// A value that a test's own constants leave no doubt about.
private func require2<T>(_ value: T?) throws -> T {
    guard let value else { throw SyncError.damaged("a sample") }
    return value
}
