import KeychainModel

/// The counts of items in a backup, and of items that it omits.
package struct BackupReport: Sendable, Hashable {
    /// The reason why an item is not in a backup.
    package enum Omission: String, CaseIterable, Sendable, Hashable {
        /// Its class is WhenPasscodeSetThisDeviceOnly.
        case passcode
        /// It has an access control.
        case accessControl
        /// It is a key of the secure element or of another token.
        case token
        /// It is a ThisDeviceOnly item, and the behavior profile excludes such items.
        case thisDeviceOnly
        /// The row is damaged.
        case damaged
    }

    /// The number of items in the backup.
    package var itemCount = 0
    /// The number of omitted items by reason; a reason that did not apply is absent.
    package var omissions: [Omission: Int] = [:]
    /// The number of items in the backup that open only on this device.
    package var deviceBoundCount = 0
    /// The items that no other device can read, in the backup or not, by item class.
    package var stayingCounts: [ItemClass: Int] = [:]

    /// The number of items that no other device can read.
    package var stayingCount: Int { stayingCounts.values.reduce(0, +) }

    package init() {}
}
