import KeychainModel

/// The state of a device, as `keychainctl status` shows it.
package struct DeviceStatus: Sendable, Hashable {
    /// The lock state as a word.
    package enum LockState: String, Sendable, Hashable {
        case beforeFirstUnlock = "before first unlock"
        case locked
        case unlocked
    }

    package var lockState: LockState
    /// Whether the keys of the classes for "while unlocked" are in memory.
    package var isProtectedDataAvailable: Bool
    package var isPasscodeSet: Bool
    package var failedAttempts: Int
    /// The seconds to wait before the next attempt.
    package var delaySeconds: Double
    /// The kind of secure element that guards the device key, such as `software`.
    package var secureElement: String
    /// The keychain's path; nil for a keychain in memory.
    package var location: String?
    /// The caller's access groups.
    package var accessGroups: [String]
    /// The access group of an item that is added without one.
    package var defaultAccessGroup: String?
    /// The number of live items in the caller's groups, by class.
    package var itemCounts: [ItemClass: Int]
    /// Whether secrets in memory are kept out of swap.
    package var memoryIsLocked: Bool
    /// The cost of one guess of the passcode; nil without a passcode.
    package var guessCost: GuessCost?
    /// The settings for automatic locking.
    package var lockSettings: LockSettings

    package init(
        lockState: LockState,
        isProtectedDataAvailable: Bool,
        isPasscodeSet: Bool,
        failedAttempts: Int,
        delaySeconds: Double,
        secureElement: String,
        location: String?,
        accessGroups: [String],
        defaultAccessGroup: String?,
        itemCounts: [ItemClass: Int],
        memoryIsLocked: Bool,
        guessCost: GuessCost? = nil,
        lockSettings: LockSettings = LockSettings()
    ) {
        self.lockState = lockState
        self.isProtectedDataAvailable = isProtectedDataAvailable
        self.isPasscodeSet = isPasscodeSet
        self.failedAttempts = failedAttempts
        self.delaySeconds = delaySeconds
        self.secureElement = secureElement
        self.location = location
        self.accessGroups = accessGroups
        self.defaultAccessGroup = defaultAccessGroup
        self.itemCounts = itemCounts
        self.memoryIsLocked = memoryIsLocked
        self.guessCost = guessCost
        self.lockSettings = lockSettings
    }

    /// The cost of one guess of the passcode.
    package struct GuessCost: Sendable, Hashable {
        /// The memory that a guess fills, in KiB.
        package var memoryKiB: Int
        /// The number of passes over that memory.
        package var passes: Int

        package init(memoryKiB: Int, passes: Int) {
            self.memoryKiB = memoryKiB
            self.passes = passes
        }
    }
}
