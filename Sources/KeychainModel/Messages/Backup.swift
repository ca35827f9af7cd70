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

/// What a restore did.
public struct RestoreReport: Sendable, Hashable {
    /// An item of the backup that met one of the device with the same primary key.
    public struct Conflict: Sendable, Hashable {
        /// The item class, such as `genp`.
        public let itemClass: String
        /// The access group of both.
        public let accessGroup: String
        /// The label of the one that stayed, or its account; nil without either.
        public let name: String?
        /// Whether the device's item gave way, because it was older.
        public let isReplaced: Bool

        package init(itemClass: String, accessGroup: String, name: String?, isReplaced: Bool) {
            self.itemClass = itemClass
            self.accessGroup = accessGroup
            self.name = name
            self.isReplaced = isReplaced
        }
    }

    /// How many items were written, replacements included.
    public package(set) var restoredCount = 0
    /// How many were left out because they open on the device of the backup alone.
    public package(set) var foreignCount = 0
    /// The items that were there already.
    public package(set) var conflicts: [Conflict] = []

    package init() {}

    /// How many of the device's own items stayed although the backup has them too.
    public var keptCount: Int { conflicts.count { !$0.isReplaced } }
}
