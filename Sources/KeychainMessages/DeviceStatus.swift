import KeychainModel

/// What `keychainctl status` tells.
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
    /// How long the next attempt has to wait.
    package var delaySeconds: Double
    /// What guards the device key, such as `software`.
    package var secureElement: String
    /// The keychain's path; nil for a keychain in memory.
    package var location: String?
    /// The caller's access groups.
    package var accessGroups: [String]
    /// The group that an item added without one goes to.
    package var defaultAccessGroup: String?
    /// Live items of the caller's groups, by class.
    package var itemCounts: [ItemClass: Int]
    /// Whether secrets in memory are kept out of swap.
    package var memoryIsLocked: Bool
    /// What one guess of the passcode costs; nil without a passcode.
    package var guessCost: GuessCost?
    /// When it locks by itself.
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

    /// What one guess of the passcode costs whoever makes it.
    package struct GuessCost: Sendable, Hashable {
        /// The memory that a guess fills, in KiB.
        package var memoryKiB: Int
        /// How often it fills the memory.
        package var passes: Int

        package init(memoryKiB: Int, passes: Int) {
            self.memoryKiB = memoryKiB
            self.passes = passes
        }
    }
}
