import Cryptography
import KeychainSync
import Secrets
import SyncRelay

/// The keys that a member left for a device that is not in the circle yet, or for the recovery key.
struct Welcome {
    let gift: KeyGift
    /// The founding statement's digest.
    let founding: SyncDigest
    /// The circle as the gift's statements say it is.
    let circle: Circle

    /// Looks into all streams.
    ///
    /// What a relay puts there is believed only if the founding statement has the circle's code,
    /// and a member signed the entry.
    static func find(
        _ membership: Membership,
        _ reader: some PeerSigner,
        _ signer: some PeerSigner,
        _ relay: some Relay
    ) throws(SyncFailure) -> Welcome? {
        var best: Welcome?
        var epochs: [EpochName: SharedSecret] = [:]
        let listing = try fromRelay(try relay.streams())
        for (peer, range) in listing.sorted(by: { $0.key < $1.key }) {
            var next = range.lowerBound
            while next < range.upperBound {
                let entries = try fromRelay(
                    try relay.entries(of: peer, from: next, byteCountLimit: 8 << 20)
                )
                guard !entries.isEmpty else { break }
                for (offset, bytes) in entries.enumerated() {
                    let place = EntryPlace(peer, next + UInt64(offset))
                    guard let found = try open(bytes, at: place, membership, reader) else {
                        continue
                    }
                    epochs.merge(found.gift.epochs) { first, _ in first }
                    if (best?.circle.nextGeneration ?? 0) <= found.circle.nextGeneration {
                        best = found
                    }
                }
                next += UInt64(entries.count)
            }
        }
        guard let best else { return nil }
        var gift = best.gift
        gift.epochs = epochs
        return Welcome(gift: gift, founding: best.founding, circle: best.circle)
    }

    /// nil for everything that is no gift for this reader.
    private static func open(
        _ bytes: [UInt8],
        at place: EntryPlace,
        _ membership: Membership,
        _ reader: some PeerSigner
    ) throws(SyncFailure) -> Welcome? {
        do throws(SyncError) {
            let entry = try UnverifiedEntry(
                bytes,
                of: membership.account,
                at: place,
                after: nil
            )
            guard entry.header.kind == .keys else { return nil }
            var statements = StatementReader(membership.account)
            guard let gift = try entry.gift(for: reader, &statements) else { return nil }
            return try welcome(gift, entry, membership.code)
        } catch {
            switch error {
            case .damaged, .wrongSignature, .noKey, .tooLarge: return nil
            case .backend: throw .format(error)
            }
        }
    }

    private static func welcome(
        _ gift: KeyGift,
        _ entry: UnverifiedEntry,
        _ code: SyncCode
    ) throws(SyncError) -> Welcome? {
        for statement in gift.statements {
            guard case .found = statement.action else { continue }
            do throws(CryptographyError) {
                guard try SyncCode(circleOf: statement.encoded) == code,
                    let circle = try Circle(
                        founding: statement.digest,
                        statements: gift.statements
                    )
                else { continue }
                guard let author = circle.peers[entry.header.peer]?.keys else { return nil }
                return try signed(gift, entry, author, statement.digest, circle)
            } catch {
                throw .backend("\(error)")
            }
        }
        return nil
    }

    private static func signed(
        _ gift: KeyGift,
        _ entry: UnverifiedEntry,
        _ author: PeerKeys,
        _ founding: SyncDigest,
        _ circle: Circle
    ) throws(CryptographyError) -> Welcome? {
        guard (try? SignedEntry(entry, signedBy: author)) != nil else { return nil }
        return Welcome(gift: gift, founding: founding, circle: circle)
    }
}
