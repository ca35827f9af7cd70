import KeychainSync
import SyncRelay

/// The result of one synchronization pass.
package struct SyncReport: Sendable {
    /// The number of changes that this device sent to the others.
    package internal(set) var sentCount = 0
    /// The number of changes of other devices that the pass stored in the keychain.
    package internal(set) var receivedCount = 0
    /// Events that the user should know about.
    package internal(set) var notices: [SyncNotice] = []
    /// Entries that the pass rejected or could not read yet, each with the reason.
    package internal(set) var faults: [EntryPlace: EntryFault] = [:]
    /// The number of links on the relay that do not open with the circle's code.
    package internal(set) var foreignLinkCount = 0
    /// The error that kept this device from making a link that it owes; nil without such an error.
    package internal(set) var owedLink: SyncError?
    /// The number of items that are too large for an entry or for the relay.
    package internal(set) var tooLargeCount = 0
    /// Whether this device is a member now; false while it waits for an approval.
    package internal(set) var isMember = true
    /// Whether synchronization is on.
    package internal(set) var isOn = true
    /// The keychain's mark after the pass; nil if another program changed items during the pass.
    package internal(set) var mark: UInt64?

    package init() {}

    /// Whether the pass noticed that two devices have read different entries of one stream.
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
    /// The number of its entries that were read or, for this device, written.
    package let entryCount: UInt64
    package let isThisDevice: Bool
    /// Whether two devices read different entries of its stream.
    package let isForked: Bool
    /// Whether it may change the circle.
    package let isKeeper: Bool
    /// Whether it has announced that it leaves.
    package let isLeaving: Bool
}

/// A summary of a keychain's circle, as `keychainctl sync status` shows it.
package struct SyncStatus: Sendable {
    package let membership: Membership
    package let devices: [CircleDevice]
    /// The code of the last link, which is the same on all devices in step; nil without a chain.
    package let head: SyncCode?
    /// The number of links in the chain.
    package let linkCount: Int
    package let hasRecoveryKey: Bool
    /// The links that break a rule or lost to another branch, each with the reason.
    package var linkFaults: [(link: SyncDigest, fault: LinkFault)]
    /// The entries that the last pass did not accept, each with the reason.
    package let entryFaults: [(place: EntryPlace, fault: EntryFault)]
    /// Devices whose keys somebody copied: they signed two links that follow the same link.
    package let copied: [KeyName]
    /// The number of items in the circle that this device knows of, without tombstones.
    package let itemCount: Int
    /// The number of changes that are in no entry yet.
    package let unpublishedCount: Int
    /// The number of entries that the relay does not have yet.
    package let outboxCount: Int
    /// The fingerprint of this device.
    package let fingerprint: SyncCode
}
