import Secrets

/// One link of a circle's chain: who comes in, who goes out, who is a keeper, which recovery key
/// holds.
///
/// A link that was read is well formed. Whether it counts is the question of `CircleChain`.
///
/// - Source: Documentation/Spec/sync.md §2.
package struct Link: Sendable, Hashable {
    /// A device that comes in.
    package struct Newcomer: Sendable, Hashable {
        package let name: KeyName
        package let keys: PeerKeys
        package let deviceName: String
        /// Whether it may make links.
        package let isKeeper: Bool

        package init(_ keys: PeerKeys, deviceName: String, isKeeper: Bool) throws(SyncError) {
            name = try KeyName(of: keys)
            self.keys = keys
            self.deviceName = DeviceName.fitting(deviceName)
            self.isKeeper = isKeeper
        }

        private init(_ other: Newcomer, isKeeper: Bool) {
            name = other.name
            keys = other.keys
            deviceName = other.deviceName
            self.isKeeper = isKeeper
        }

        /// The same as a keeper.
        var asKeeper: Newcomer { Newcomer(self, isKeeper: true) }
    }

    /// What becomes of the recovery key.
    package enum RecoveryChange: Sendable, Hashable {
        case unchanged
        case none
        case keys(PeerKeys)
    }

    /// What a link changes.
    package struct Changes: Sendable, Hashable {
        package var added: [Newcomer] = []
        package var removed: [KeyName] = []
        package var promoted: [KeyName] = []
        package var recovery = RecoveryChange.unchanged

        package init() {}

        package var isEmpty: Bool {
            added.isEmpty && removed.isEmpty && promoted.isEmpty && recovery == .unchanged
        }

        /// Whether all keys that it brings are points of P-256.
        var keysArePoints: Bool {
            if case .keys(let keys) = recovery, !keys.arePoints { return false }
            return added.allSatisfy { $0.keys.arePoints }
        }

        /// Whether somebody loses something: then there is a new key.
        package var takesAway: Bool { !removed.isEmpty || recovery != .unchanged }
    }

    /// A key that was in force before, sealed under the one in force after the link.
    package struct EarlierKey: Sendable, Hashable {
        package static let sealedByteCount = 48

        package let name: SealName
        package let sealed: [UInt8]

        package init(_ name: SealName, sealed: [UInt8]) {
            self.name = name
            self.sealed = sealed
        }
    }

    /// 0 for the founding link, then one more than that of the link before.
    package let number: UInt64
    /// The digest of the link before; zeros in the founding link.
    package let previous: SyncDigest
    /// The places of those who signed, in the order of the link before; one or two, ascending.
    package let signers: [UInt16]
    /// Milliseconds since 1970 when it was made; they are shown, and never compared.
    package let time: UInt64
    package let changes: Changes
    /// SHA-256 of the boxes.
    package let boxesDigest: SyncDigest
    /// The key that seals entries from this link on; nil if the key in force stays.
    package let newKey: SealName?
    /// Beside the one before a new key, those that no other link gives.
    package let earlierKeys: [EarlierKey]
    /// What names this link: SHA-256 of all of the above, without signatures.
    package let digest: SyncDigest
    /// 64 bytes for each of the signers.
    package let signatures: [[UInt8]]
    /// Whether it was found that a key which it brings is no point of P-256; then it never counts.
    private(set) var hasWrongKey = false

    package var isFounding: Bool { number == 0 }

    /// What people compare and type: the first 100 bits of the digest.
    package var code: SyncCode { SyncCode(digest) }

    init(_ content: LinkContent, _ digest: SyncDigest, signatures: [[UInt8]]) {
        number = content.number
        previous = content.previous
        signers = content.signers
        time = content.time
        changes = content.changes
        boxesDigest = content.boxesDigest
        newKey = content.newKey
        earlierKeys = content.earlierKeys
        self.digest = digest
        self.signatures = signatures
    }

    /// Another encoding of the link.
    package func signed(_ signatures: [[UInt8]]) -> Link {
        Link(content, digest, signatures: signatures)
    }

    /// The link, once it is known whether its keys are points of P-256.
    func withKeysChecked() -> Link {
        var link = self
        link.hasWrongKey = !changes.keysArePoints
        return link
    }

    /// The same without what only its encoding knows.
    var content: LinkContent {
        LinkContent(
            number: number,
            previous: previous,
            signers: signers,
            time: time,
            changes: changes,
            boxesDigest: boxesDigest,
            newKey: newKey,
            earlierKeys: earlierKeys
        )
    }
}

/// What a link says; what its digest covers.
struct LinkContent: Sendable, Hashable {
    var number: UInt64
    var previous: SyncDigest
    var signers: [UInt16]
    var time: UInt64
    var changes: Link.Changes
    var boxesDigest: SyncDigest
    var newKey: SealName?
    var earlierKeys: [Link.EarlierKey] = []
}
