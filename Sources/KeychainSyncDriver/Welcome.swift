import Cryptography
import KeychainSync
import Secrets
import SyncRelay

/// The keys that members left for a device that is not in the circle yet, or for the recovery key.
struct Welcome {
    /// What all of them gave together.
    let gift: KeyGift
    /// The founding statement's digest.
    let founding: SyncDigest
    /// The circle as the gift's statements say it is.
    let circle: Circle

    /// Looks into all streams.
    ///
    /// What a relay puts there is believed only if the founding statement has the circle's code,
    /// and a member signed the entry. Who is a member is what all of them say together: a removed
    /// one would leave its removal out.
    static func find(
        _ membership: Membership,
        _ reader: some PeerSigner,
        _ relay: some Relay
    ) throws(SyncFailure) -> Welcome? {
        var gifts: [FoundGift] = []
        let listing = try fromRelay(try relay.streams())
        for (peer, range) in listing.sorted(by: { $0.key < $1.key }) {
            var next = range.lowerBound
            while next < range.upperBound {
                let entries = try fromRelay(
                    try relay.sound(of: peer, from: next, byteCountLimit: 8 << 20)
                )
                guard !entries.isEmpty else { break }
                for (offset, bytes) in entries.enumerated() {
                    let place = EntryPlace(peer, next + UInt64(offset))
                    if let found = try open(bytes, at: place, membership, reader) {
                        gifts.append(found)
                    }
                }
                next += UInt64(entries.count)
            }
        }
        return try fromCryptography(try Welcome(gifts, membership.code))
    }

    /// What the members among the givers say; nil if there is none.
    private init?(_ gifts: [FoundGift], _ code: SyncCode) throws(CryptographyError) {
        var gifts = gifts
        while true {
            var statements: [SyncDigest: Statement] = [:]
            for statement in gifts.lazy.flatMap(\.gift.statements) {
                statements[statement.digest] = statement
            }
            guard let founding = try Self.founding(statements.values, code),
                let circle = try Circle(founding: founding, statements: statements.values)
            else { return nil }
            let members = gifts.filter { circle.hasMember($0.giver) }
            if members.count == gifts.count {
                gift = Self.joined(gifts, Array(statements.values))
                self.founding = founding
                self.circle = circle
                return
            }
            gifts = members
        }
    }

    private static func founding(
        _ statements: some Sequence<Statement>,
        _ code: SyncCode
    ) throws(CryptographyError) -> SyncDigest? {
        for statement in statements {
            guard case .found = statement.action,
                try SyncCode(circleOf: statement.encoded) == code
            else { continue }
            return statement.digest
        }
        return nil
    }

    private static func joined(_ gifts: [FoundGift], _ statements: [Statement]) -> KeyGift {
        var gift = KeyGift()
        for found in gifts { gift.epochs.merge(found.gift.epochs) { first, _ in first } }
        gift.statements = statements
        return gift
    }

    /// nil for everything that is no gift for this reader, or by nobody whom it names.
    private static func open(
        _ bytes: [UInt8],
        at place: EntryPlace,
        _ membership: Membership,
        _ reader: some PeerSigner
    ) throws(SyncFailure) -> FoundGift? {
        do throws(SyncError) {
            let entry = try UnverifiedEntry(
                bytes,
                of: membership.account,
                at: place,
                after: nil
            )
            guard entry.header.kind == .keys else { return nil }
            var statements = StatementReader(membership.account)
            guard let gift = try entry.gift(for: reader, &statements),
                let author = statements.keys(of: place.peer)
            else { return nil }
            _ = try SignedEntry(entry, signedBy: author)
            return FoundGift(gift: gift, giver: place.peer)
        } catch {
            switch error {
            case .damaged, .wrongSignature, .noKey, .notAllowed, .tooLarge: return nil
            case .backend: throw .format(error)
            }
        }
    }
}

/// A gift, and who signed the entry that has it.
private struct FoundGift {
    let gift: KeyGift
    let giver: PeerName
}
