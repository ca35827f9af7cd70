import KeychainSync
import SyncRelay

/// What a pass of synchronization came to.
package struct SyncReport: Sendable {
    /// How many changes this device told the others.
    package internal(set) var sentCount = 0
    /// How many changes of others were put into the keychain.
    package internal(set) var receivedCount = 0
    /// What a person should know.
    package internal(set) var notices: [SyncNotice] = []
    /// Entries that do not count, or not yet.
    package internal(set) var faults: [EntryPlace: EntryFault] = [:]
    /// How many links on the relay nobody wrote who knows the circle's code.
    package internal(set) var foreignLinkCount = 0
    /// Why a link that this device owes the circle cannot be made; nil if there is none.
    package internal(set) var owedLink: SyncError?
    /// Items that are too large for an entry or for the relay.
    package internal(set) var tooLargeCount = 0
    /// Whether this device is a member now; false while it waits for an approval.
    package internal(set) var isMember = true
    /// Whether synchronization is on.
    package internal(set) var isOn = true
    /// The keychain's mark as the others know its items; nil if somebody changed them meanwhile.
    package internal(set) var mark: UInt64?

    package init() {}

    /// Whether two devices were found to have read different entries.
    package var isForked: Bool {
        notices.contains { notice in
            if case .forked = notice { true } else { false }
        }
    }
}

/// A device that asks to join.
package struct PendingRequest: Sendable, Hashable {
    package let peer: KeyName
    package let deviceName: String
    package let fingerprint: SyncCode
}

/// A device of the circle.
package struct CircleDevice: Sendable, Hashable {
    package let peer: KeyName
    package let deviceName: String
    package let fingerprint: SyncCode
    /// How many of its entries were read; of this device, how many it wrote.
    package let entryCount: UInt64
    package let isThisDevice: Bool
    /// Whether two devices read different entries of its stream.
    package let isForked: Bool
    /// Whether it may change the circle.
    package let isKeeper: Bool
    /// Whether it said that it leaves.
    package let isLeaving: Bool
}

/// What there is to say about a keychain's circle.
package struct SyncStatus: Sendable {
    package let membership: Membership
    package let devices: [CircleDevice]
    /// The code of the chain's end, which all devices show alike; nil as long as there is no chain.
    package let head: SyncCode?
    /// How many links the chain has.
    package let linkCount: Int
    package let hasRecoveryKey: Bool
    /// The links that do not count.
    package var linkFaults: [(link: SyncDigest, fault: LinkFault)]
    /// The entries that did not count in the last pass.
    package let entryFaults: [(place: EntryPlace, fault: EntryFault)]
    /// Devices of which somebody has a copy: they signed two links that follow the same one.
    package let copied: [KeyName]
    /// Items in the circle, as far as this device knows; without tombstones.
    package let itemCount: Int
    /// Changes that the others have not been told of.
    package let unpublishedCount: Int
    /// Entries that the relay has not got yet.
    package let outboxCount: Int
    /// The fingerprint of this device.
    package let fingerprint: SyncCode
}
