import Cryptography
import Secrets

/// A link that this device made, its boxes, and the key in force after it.
package struct MadeLink: Sendable {
    package let link: Link
    package let boxes: [UInt8]
    /// The key in force after the link.
    package let key: SharedSecret
    package let keyName: SealName
}

/// Makes links.
///
/// - Source: Documentation/Spec/sync.md §2.
package struct LinkWriter: Sendable {
    private let random: any RandomSource
    /// Milliseconds since 1970.
    private let time: UInt64
    private let rules: CircleRules

    package init(
        _ random: any RandomSource,
        time: UInt64,
        rules: CircleRules = CircleRules()
    ) {
        self.random = random
        self.time = time
        self.rules = rules
    }

    /// Makes the link that founds a circle; its code is the circle's code.
    package func found(
        by founder: some PeerSigner,
        deviceName: String,
        recovery: PeerKeys?
    ) throws(SyncError) -> MadeLink {
        var changes = Link.Changes()
        changes.added = [try Link.Newcomer(founder.keys, deviceName: deviceName, isKeeper: true)]
        if let recovery { changes.recovery = .keys(recovery) }
        let key = try freshKey()
        let keyName = try SealName(of: key.secret)
        // The boxes use zeros as the account: it follows from the code, which covers the boxes.
        let boxes = try LinkBoxes.seal(
            key,
            for: (recovery.map { [$0] } ?? []) + [founder.keys],
            .zeros,
            after: .zeros,
            random
        )
        let content = LinkContent(
            number: 0,
            previous: .zeros,
            signers: [0],
            time: time,
            changes: changes,
            boxesDigest: try LinkBoxes.digest(of: boxes),
            newKey: keyName
        )
        let link = try Link(content, by: [founder])
        return MadeLink(link: link, boxes: boxes, key: key, keyName: keyName)
    }

    /// Makes a link that follows another one, signed by one or two keys.
    ///
    /// `key` is in force after the previous link. If the changes take something away, the new link
    /// makes a new key. Everybody who has the key in force after the new link can open the `lost`
    /// earlier keys. It throws `notAllowed` if the link would break a rule, so that nobody would
    /// follow it.
    package func follow(
        _ changes: Link.Changes,
        after head: CircleChain.Head,
        _ key: SharedSecret,
        _ code: SyncCode,
        by signers: [any PeerSigner],
        giving lost: [SealName: SharedSecret] = [:]
    ) throws(SyncError) -> MadeLink {
        var placed: [(place: UInt16, signer: any PeerSigner, name: KeyName)] = []
        for signer in signers {
            let name = try KeyName(of: signer.keys)
            guard let place = head.state.place(of: name) else {
                throw .notAllowed(.noSuchSigner)
            }
            placed.append((place, signer, name))
        }
        placed.sort { $0.place < $1.place }
        let inForce = changes.takesAway ? try freshKey() : key
        let keyName = try SealName(of: inForce.secret)
        var given = lost
        if changes.takesAway { given[head.state.keyName] = key }
        var content = LinkContent(
            number: head.link.number + 1,
            previous: head.link.digest,
            signers: placed.map(\.place),
            time: time,
            changes: changes,
            boxesDigest: .zeros,
            newKey: changes.takesAway ? keyName : nil,
            earlierKeys: try seal(given, under: inForce, after: head.link.digest)
        )
        let draft = Link(content, .zeros, signatures: [])
        var state = head.state
        do throws(LinkFault) { try state.check(draft, by: placed.map(\.name)) } catch {
            throw .notAllowed(error)
        }
        _ = try state.apply(draft, by: placed.map(\.name))
        var readers = state.readers(of: changes, hasNewKey: changes.takesAway)
        if rules.sealsForRemoved {
            readers += changes.removed.compactMap { head.state.members[$0]?.keys }
        }
        let boxes = try LinkBoxes.seal(
            inForce,
            for: readers,
            try code.accountName(),
            after: head.link.digest,
            random
        )
        content.boxesDigest = try LinkBoxes.digest(of: boxes)
        let link = try Link(content, by: placed.map(\.signer))
        return MadeLink(link: link, boxes: boxes, key: inForce, keyName: keyName)
    }

    private func seal(
        _ given: [SealName: SharedSecret],
        under key: SharedSecret,
        after previous: SyncDigest
    ) throws(SyncError) -> [Link.EarlierKey] {
        var sealed: [Link.EarlierKey] = []
        for (name, earlier) in given.sorted(by: { $0.key < $1.key }) {
            sealed.append(
                try LinkBoxes.seal(earlier: earlier, name, under: key, after: previous)
            )
        }
        return sealed
    }

    private func freshKey() throws(SyncError) -> SharedSecret {
        SharedSecret(
            try backed { () throws(CryptographyError) in
                try random.secret(AESGCM.keyByteCount)
            }
        )
    }
}
