#if canImport(Darwin)
    import Security
#else
    import KeychainServices
#endif

/// The conditions under which an item can be read, and whether it leaves the device.
///
/// One value states all of this, so that its parts cannot contradict each other. An item that is
/// synchronized has no `ThisDeviceOnly`, and an item with a ``Constraint`` is not synchronized.
/// Neither compiles.
///
/// ```swift
/// let token = Password(service: "api", account: "token", protection: .afterFirstUnlock)
/// let diary = Password(service: "diary", account: "key", protection: .requiring(.userPresence))
/// let shared = WebLogin(server: "example.com", account: "ada", protection: .synced())
/// ```
public struct Protection: Hashable, Codable, Sendable {
    enum Reach: Hashable, Codable, Sendable { case local, synced }

    /// The time at which the item can be read.
    public let availability: Availability
    /// The proof that the reader must give; nil if none.
    public let constraint: Constraint?
    let reach: Reach

    /// The time at which an item can be read, and whether a backup carries it to another device.
    public enum Availability: String, Hashable, Codable, Sendable, CaseIterable {
        /// While the device is unlocked. Backups carry the item to another device.
        case whenUnlocked
        /// From the first unlock after a restart on. Backups carry the item to another device.
        case afterFirstUnlock
        /// While the device is unlocked. The item never leaves the device.
        case whenUnlockedThisDeviceOnly
        /// From the first unlock after a restart on. The item never leaves the device.
        case afterFirstUnlockThisDeviceOnly
        /// While the device is unlocked and has a passcode; removing the passcode deletes the item.
        case whenPasscodeSetThisDeviceOnly
    }

    /// The time at which a synchronized item can be read.
    ///
    /// Such an item never stays on one device, so no case says `ThisDeviceOnly`.
    public enum SyncedAvailability: String, Hashable, Codable, Sendable, CaseIterable {
        /// While the device is unlocked.
        case whenUnlocked
        /// From the first unlock after a restart on.
        case afterFirstUnlock
    }

    /// While the device is unlocked; backups carry the item to another device.
    public static let whenUnlocked = Protection(.whenUnlocked)
    /// From the first unlock on, even in the background; backups carry the item.
    public static let afterFirstUnlock = Protection(.afterFirstUnlock)
    /// While the device is unlocked; the item never leaves the device.
    public static let whenUnlockedThisDeviceOnly = Protection(.whenUnlockedThisDeviceOnly)
    /// From the first unlock on, even in the background; the item never leaves the device.
    public static let afterFirstUnlockThisDeviceOnly = Protection(.afterFirstUnlockThisDeviceOnly)
    /// While the device is unlocked and has a passcode; the item never leaves the device.
    public static let whenPasscodeSetThisDeviceOnly = Protection(.whenPasscodeSetThisDeviceOnly)

    /// Returns the protection of an item that the user's devices share.
    public static func synced(_ availability: SyncedAvailability = .whenUnlocked) -> Protection {
        switch availability {
        case .whenUnlocked: Protection(.whenUnlocked, reach: .synced)
        case .afterFirstUnlock: Protection(.afterFirstUnlock, reach: .synced)
        }
    }

    /// Returns the protection of an item whose reader must give a proof.
    ///
    /// Only functions with an ``Approval`` read such an item.
    public static func requiring(
        _ constraint: Constraint,
        _ availability: Availability = .whenUnlockedThisDeviceOnly
    ) -> Protection {
        Protection(availability, constraint: constraint)
    }

    init(_ availability: Availability, constraint: Constraint? = nil, reach: Reach = .local) {
        self.availability = availability
        self.constraint = constraint
        self.reach = reach
    }

    /// Whether the user's devices share the item.
    public var isSynced: Bool { reach == .synced }
}

/// The proof that the reader of an item must give.
///
/// Biometry is a face or a finger. There is a case for every useful combination, so no combination
/// needs an operator.
///
/// ```swift
/// let protection = Protection.requiring(.biometryOrPasscode(.currentSet))
/// ```
public enum Constraint: Hashable, Codable, Sendable {
    /// The faces and fingers that count.
    public enum Biometry: String, Hashable, Codable, Sendable, CaseIterable {
        /// Any that is enrolled, now or later.
        case any
        /// Only those that are enrolled now. A new face or finger makes the item unreadable
        /// forever.
        case currentSet
    }

    /// Biometry or the passcode; the system chooses.
    case userPresence
    /// The passcode of the device.
    case devicePasscode
    /// A face or finger.
    case biometry(Biometry)
    /// A face or finger, or the passcode.
    case biometryOrPasscode(Biometry)
    /// A face or finger, and the passcode.
    case biometryAndPasscode(Biometry)
}

extension Constraint {
    /// The bits of ``flags``.
    package var rawFlags: UInt { UInt(flags.rawValue) }

    var flags: SecAccessControlCreateFlags {
        switch self {
        case .userPresence: .userPresence
        case .devicePasscode: .devicePasscode
        case .biometry(let biometry): biometry.flag
        case .biometryOrPasscode(let biometry): [biometry.flag, .or, .devicePasscode]
        case .biometryAndPasscode(let biometry): [biometry.flag, .and, .devicePasscode]
        }
    }
}

extension Constraint.Biometry {
    fileprivate var flag: SecAccessControlCreateFlags {
        switch self {
        case .any: .biometryAny
        case .currentSet: .biometryCurrentSet
        }
    }
}

extension Protection.Availability {
    /// The constant of Keychain Services.
    var constant: CFString {
        switch self {
        case .whenUnlocked: kSecAttrAccessibleWhenUnlocked
        case .afterFirstUnlock: kSecAttrAccessibleAfterFirstUnlock
        case .whenUnlockedThisDeviceOnly: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        case .afterFirstUnlockThisDeviceOnly: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        case .whenPasscodeSetThisDeviceOnly: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
        }
    }

    /// The value of the constant, such as `cku`.
    package var code: String { constant as String }

    /// Returns the availability for a constant; nil for the two that Apple deprecated.
    init?(constant: String) {
        guard let match = Self.allCases.first(where: { $0.constant as String == constant })
        else { return nil }
        self = match
    }

    var staysOnDevice: Bool {
        switch self {
        case .whenUnlocked, .afterFirstUnlock: false
        case .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly,
            .whenPasscodeSetThisDeviceOnly:
            true
        }
    }
}
