import Secrets

/// Takes the next bytes of a backup that is being made.
package typealias BackupSink = ([UInt8]) throws(KeychainError) -> Void

/// Gives the next bytes of a backup, at most as many as asked for; none at the end.
package typealias BackupSource = (_ byteCount: Int) throws(KeychainError) -> [UInt8]

/// Hears of every item that is done: how many there were so far.
package typealias BackupProgress = (Int) -> Void

/// An endpoint whose owner may copy the whole keychain out and in; an app's is not one.
package protocol BackupEndpoint: Endpoint {
    /// Writes an encrypted backup.
    ///
    /// - Throws: `errSecInteractionNotAllowed` unless the device is unlocked; `errSecParam` for an
    ///   empty password; what the sink throws.
    func backup(
        password: SharedSecret,
        to sink: BackupSink,
        progress: BackupProgress
    ) throws(KeychainError) -> BackupReport

    /// Restores an encrypted backup, all of it or nothing.
    ///
    /// - Throws: `errSecAuthFailed` for a wrong password; `errSecDecode` for a damaged backup;
    ///   `errSecInteractionNotAllowed` unless the device is unlocked; what the source throws.
    func restore(
        password: SharedSecret,
        from source: BackupSource,
        progress: BackupProgress
    ) throws(KeychainError) -> RestoreReport
}

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

/// The result of a restore.
///
/// ```swift
/// let report = try newPhone.restore(backup, password: "secret")
/// print(report.restoredCount, report.foreignCount, report.keptCount)
/// ```
public struct RestoreReport: Sendable, Hashable {
    /// An item of the backup that has the same primary key as an item of the device.
    ///
    /// ```swift
    /// for conflict in report.conflicts where conflict.isReplaced {
    ///     print(conflict.itemClass, conflict.name ?? "")
    /// }
    /// ```
    public struct Conflict: Sendable, Hashable {
        /// The item class, such as `genp`.
        public let itemClass: String
        /// The access group of both items.
        public let accessGroup: String
        /// The label of the item that remains, or its account; nil if it has neither.
        public let name: String?
        /// Whether the backup's item replaced the device's, because the device's was older.
        public let isReplaced: Bool

        package init(itemClass: String, accessGroup: String, name: String?, isReplaced: Bool) {
            self.itemClass = itemClass
            self.accessGroup = accessGroup
            self.name = name
            self.isReplaced = isReplaced
        }
    }

    /// The number of items written, including replacements.
    public package(set) var restoredCount = 0
    /// The number of items left out because only the device of the backup can open them.
    public package(set) var foreignCount = 0
    /// The items that existed on the device already.
    public package(set) var conflicts: [Conflict] = []

    package init() {}

    /// The number of the device's own items that remain although the backup has them too.
    public var keptCount: Int { conflicts.count { !$0.isReplaced } }
}
