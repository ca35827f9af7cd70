import KeychainModel

/// What a backup holds, and what it leaves out.
package struct BackupReport: Sendable, Hashable {
    /// Why an item is not in a backup.
    package enum Omission: String, CaseIterable, Sendable, Hashable {
        /// Its class is WhenPasscodeSetThisDeviceOnly.
        case passcode
        /// It has an access control.
        case accessControl
        /// It is a key of the secure element or of another token.
        case token
        /// It stays on this device, and the behavior profile excludes such items.
        case thisDeviceOnly
        /// It is not what was stored.
        case damaged
    }

    /// How many items the backup holds.
    package var itemCount = 0
    /// How many it leaves out, by reason; a reason that never applied is absent.
    package var omissions: [Omission: Int] = [:]
    /// How many of the items that it holds open on this device alone.
    package var deviceBoundCount = 0
    /// The items that no other device can read, in the backup or not, by item class.
    package var stayingCounts: [ItemClass: Int] = [:]

    /// How many items no other device can read.
    package var stayingCount: Int { stayingCounts.values.reduce(0, +) }

    package init() {}
}
