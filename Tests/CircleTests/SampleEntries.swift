import Cryptography
import Secrets
import Testing

@testable import KeychainSync

/// Entries of a circle with real keys.
struct SampleEntries {
    let real: RealCircle
    let account: AccountName
    let nonce = [UInt8](repeating: 9, count: 12)

    init() throws {
        real = try RealCircle()
        account = try real.code.accountName()
    }

    var key: Secret { Secret(copying: [UInt8](repeating: 5, count: 32)) }

    func header(
        _ kind: EntryHeader.Kind,
        of signer: SoftwareSigner? = nil
    ) throws -> EntryHeader {
        let stream = StreamName(of: try (signer ?? real.ada).name(), [1, 2, 3, 4, 5, 6, 7, 8])
        return EntryHeader(
            kind,
            account,
            EntryPlace(stream, 0),
            previous: .zeros,
            link: kind == .segment ? real.founding.link.digest : .zeros
        )
    }

    func entry() throws -> SignedEntry {
        try SignedEntry(segment(), header(.segment), under: key, nonce: nonce, by: real.ada)
    }

    /// A segment with one password and one tombstone.
    func segment() throws -> Segment<ItemChange> {
        var segment = Segment<ItemChange>()
        let stream = StreamName(of: try real.bob.name(), [UInt8](repeating: 4, count: 8))
        segment.heads[stream] = StreamHead(entryCount: 4, digest: try digest("head"))
        segment.changes = [try change("mail", "password 1"), try change("old", nil)]
        return segment
    }

    func digest(_ text: String) throws -> SyncDigest { try SyncDigest(of: Array(text.utf8)) }

    private func change(_ name: String, _ value: String?) throws -> ItemChange {
        let stamp = try #require(Stamp(milliseconds: 1_700_000_000_000, counter: 2))
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
    func shown(_ entry: SignedEntry) throws -> UnverifiedEntry {
        try UnverifiedEntry(entry.bytes, of: account, at: entry.header.place, after: .zeros)
    }
}
