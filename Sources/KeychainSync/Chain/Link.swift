import Secrets

/// One link of a circle's chain: the devices that it adds, removes or makes keepers, and the
/// recovery key.
///
/// A link that was read is well formed. `CircleChain` decides whether it counts.
///
/// - Source: Documentation/Spec/sync.md §2.
package struct Link: Sendable, Hashable {
    /// A device that a link adds.
    package struct Newcomer: Sendable, Hashable {
        package let name: KeyName
        package let keys: PeerKeys
        package let deviceName: String
        /// Whether the device may sign links.
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

        /// The same device, added as a keeper.
        var asKeeper: Newcomer { Newcomer(self, isKeeper: true) }
    }

    /// The change that a link makes to the recovery key.
    package enum RecoveryChange: Sendable, Hashable {
        case unchanged
        case none
        case keys(PeerKeys)
    }

    /// The changes that a link makes to the circle.
    package struct Changes: Sendable, Hashable {
        package var added: [Newcomer] = []
        package var removed: [KeyName] = []
        package var promoted: [KeyName] = []
        package var recovery = RecoveryChange.unchanged

        package init() {}

        package var isEmpty: Bool {
            added.isEmpty && removed.isEmpty && promoted.isEmpty && recovery == .unchanged
        }

        /// Whether all public keys in these changes are points of P-256.
        var keysArePoints: Bool {
            if case .keys(let keys) = recovery, !keys.arePoints { return false }
            return added.allSatisfy { $0.keys.arePoints }
        }

        /// Whether a member or the recovery key loses access, so that a new key is needed.
        package var takesAway: Bool { !removed.isEmpty || recovery != .unchanged }
    }

    /// A key that was in force earlier, sealed under the key in force after the link.
    package struct EarlierKey: Sendable, Hashable {
        package static let sealedByteCount = 48

        package let name: SealName
        package let sealed: [UInt8]

        package init(_ name: SealName, sealed: [UInt8]) {
            self.name = name
            self.sealed = sealed
        }
    }

    /// 0 for the founding link, then one more for each link.
    package let number: UInt64
    /// The digest of the previous link; zeros in the founding link.
    package let previous: SyncDigest
    /// The places of the signers in the order of the previous link; one or two, ascending.
    package let signers: [UInt16]
    /// The time of signing in milliseconds since 1970; shown to people, and never compared.
    package let time: UInt64
    package let changes: Changes
    /// SHA-256 of the boxes.
    package let boxesDigest: SyncDigest
    /// The name of the key that seals entries from this link on; nil if the key in force stays.
    package let newKey: SealName?
    /// The key that a new key replaces, and earlier keys that no other link gives.
    package let earlierKeys: [EarlierKey]
    /// The name of this link: SHA-256 of everything above, without signatures.
    package let digest: SyncDigest
    /// One signature of 64 bytes for each signer.
    package let signatures: [[UInt8]]
    /// Whether a check found a public key that is no point of P-256; such a link never counts.
    private(set) var hasWrongKey = false

    package var isFounding: Bool { number == 0 }

    /// The code that people compare and type: the first 100 bits of the digest.
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

    /// Returns the same link with other signatures.
    package func signed(_ signatures: [[UInt8]]) -> Link {
        Link(content, digest, signatures: signatures)
    }

    /// Returns the link after a check of whether its keys are points of P-256.
    func withKeysChecked() -> Link {
        var link = self
        link.hasWrongKey = !changes.keysArePoints
        return link
    }

    /// The content of the link, without signatures.
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

/// The content of a link: the fields that its digest covers.
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
