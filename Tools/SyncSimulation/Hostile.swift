import Cryptography
import KeychainSync
import KeychainSyncDriver
import Secrets
import SyncRelay

/// Attackers with the keys of removed devices, old recovery keys, and everything these could open.
struct Hostile {
    /// A device or an old recovery key.
    struct Hand {
        let name: KeyName
        let signer: any PeerSigner
    }

    private(set) var hands: [Hand] = []
    /// The keys that an attacker can open, from earlier knowledge and from boxes.
    private var keys: [SealName: SharedSecret] = [:]
    /// The keys that each removed device knew when it was stolen.
    private var known: [KeyName: Set<SealName>] = [:]

    /// Takes over a stolen device, with all its content.
    mutating func steal(_ signer: any PeerSigner, _ content: [SealName: SharedSecret]) throws {
        let name = try signer.name()
        hands.append(Hand(name: name, signer: signer))
        keys.merge(content) { first, _ in first }
        known[name, default: []].formUnion(content.keys)
    }

    /// Opens all boxes on the relay for an attacker, even those in invalid links.
    mutating func openBoxes(_ relay: MemoryRelay, _ code: SyncCode) throws {
        let account = try code.accountName()
        for place in try relay.links() {
            guard let bytes = try relay.link(at: place),
                let link = try? LinkFormat.open(bytes, code),
                let newKey = link.newKey, keys[newKey] == nil,
                let boxes = try relay.boxes(
                    at: LinkPlace(number: link.number, digest: link.boxesDigest)
                )
            else { continue }
            for hand in hands {
                for index in 0..<max(0, (boxes.count - 65) / 48) {
                    let key = try LinkBoxes.open(
                        boxes,
                        of: link,
                        at: index,
                        named: newKey,
                        account,
                        by: hand.signer
                    )
                    guard let key else { continue }
                    keys[newKey] = key
                    known[hand.name, default: []].insert(newKey)
                }
            }
        }
    }

    /// Checks that a device which knows of a removal does not write under a key that the removed
    /// device knows.
    func check(secrecyOf machine: SyncMachine, of name: String) throws {
        guard let used = machine.circle?.keyName else { return }
        for hand in hands where machine.chain.removals[hand.name] != nil {
            guard known[hand.name]?.contains(used) != true else {
                throw Violation(.secrecy, "\(name) writes under a key of a device it saw removed")
            }
        }
    }

    /// Returns a link that attackers sign, after any existing link.
    ///
    /// - Returns: nil if they cannot make one.
    func link(
        _ chain: CircleChain,
        _ random: SeededRandom,
        _ dice: inout Dice
    ) throws -> (link: MadeLink, bytes: [UInt8])? {
        let stranger = try random.signer()
        let nodes = chain.knownLinks
        guard !nodes.isEmpty else { return nil }
        let node = nodes[dice.below(nodes.count)]
        guard let head = try chain.head(at: node) else { return nil }
        let able = hands.filter { head.state.place(of: $0.name) != nil }
        guard !able.isEmpty else { return nil }
        var signers: [any PeerSigner] = [able[dice.below(able.count)].signer]
        if let second = able.first(where: { $0.signer.keys != signers[0].keys }),
            dice.below(3) == 0
        {
            signers.append(second.signer)
        }
        let names = try signers.map { try $0.name() }
        var changes = Link.Changes()
        let members = head.state.members.keys.sorted()
        guard !members.isEmpty else { return nil }
        let victim = members[dice.below(members.count)]
        switch dice.below(6) {
        case 0, 1:
            changes.added = [
                try Link.Newcomer(stranger.keys, deviceName: "eve", isKeeper: dice.below(2) == 0)
            ]
        case 2: if !names.contains(victim) { changes.removed = [victim] }
        case 3:
            changes.added = [try Link.Newcomer(stranger.keys, deviceName: "eve", isKeeper: true)]
            changes.removed = members.filter { !names.contains($0) }
        case 4: if !head.state.isKeeper(victim) { changes.promoted = [victim] }
        default: changes.recovery = .keys(stranger.keys)
        }
        let key = try keys[head.state.keyName] ?? SharedSecret(random.secret(32))
        let writer = LinkWriter(random, time: dice.next())
        do throws(SyncError) {
            let made = try writer.follow(changes, after: head, key, chain.code, by: signers)
            let nonce = [UInt8](repeating: UInt8(dice.below(256)), count: 12)
            return (made, try LinkFormat.seal(made.link, chain.code, nonce: nonce))
        } catch {
            guard case .notAllowed = error else { throw error }
            return nil
        }
    }

    /// Returns another encoding of a link, with a wrong signature.
    func encoding(of link: Link, _ code: SyncCode, _ dice: inout Dice) throws -> [UInt8] {
        let wrong = link.signatures.map { signature in
            var signature = signature
            signature[dice.below(64)] ^= 1
            return signature
        }
        let nonce = [UInt8](repeating: UInt8(dice.below(256)), count: 12)
        return try LinkFormat.seal(link.signed(wrong), code, nonce: nonce)
    }
}
