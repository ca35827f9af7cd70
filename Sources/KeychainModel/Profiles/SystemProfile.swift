/// The system that a keychain simulates: a platform and its major version.
///
/// ```swift
/// let mac = try SimulatedDevice(system: .macOS(26))
/// ```
public struct SystemProfile: Sendable, Hashable {
    package enum Platform: Sendable, Hashable {
        case iOS, macOS, tvOS, watchOS, catalyst, iOSSimulator, host
    }

    package let platform: Platform
    package let version: Int

    package init(platform: Platform, version: Int) {
        self.platform = platform
        self.version = version
    }

    /// Returns a phone or tablet with this major version, such as `.iOS(26)`.
    public static func iOS(_ version: Int) -> SystemProfile {
        SystemProfile(platform: .iOS, version: version)
    }

    /// Returns a Mac's data protection keychain with this major version, such as `.macOS(26)`.
    public static func macOS(_ version: Int) -> SystemProfile {
        SystemProfile(platform: .macOS, version: version)
    }

    /// Returns an iOS app on a Mac, with or without Mac Catalyst.
    ///
    /// It has the data protection keychain with the rules of a phone.
    public static func catalyst(_ version: Int) -> SystemProfile {
        SystemProfile(platform: .catalyst, version: version)
    }

    /// Returns an Apple TV: the rules of a phone, without biometry.
    public static func tvOS(_ version: Int) -> SystemProfile {
        SystemProfile(platform: .tvOS, version: version)
    }

    /// Returns a watch: the rules of a phone, without biometry, and with a keychain of its own.
    public static func watchOS(_ version: Int) -> SystemProfile {
        SystemProfile(platform: .watchOS, version: version)
    }

    /// Apple's iOS Simulator, which enforces neither lock states nor entitlements.
    ///
    /// It shows what a test in that simulator cannot find.
    public static let iOSSimulator = SystemProfile(platform: .iOSSimulator, version: 26)

    /// This machine: the macOS rules, with application groups as access groups.
    package static let host = SystemProfile(platform: .host, version: 26)

    /// Match keys in an add, update or delete are removed, not refused.
    package var ignoresMatchKeysInWrites: Bool { platform == .macOS || platform == .host }

    /// Whether `com.apple.security.application-groups` count as access groups.
    package var applicationGroupsAreAccessGroups: Bool { platform != .macOS }

    /// Whether the data protection keychain has to be asked for.
    package var needsDataProtectionFlag: Bool { platform == .macOS }

    /// Whether locking closes protection classes.
    package var enforcesLockState: Bool { platform != .iOSSimulator }

    /// Whether naming a group needs an entitlement.
    package var enforcesEntitlements: Bool { platform != .iOSSimulator }

    /// Whether keys can be made in a secure element; Apple's iOS Simulator has none (KEY-19).
    package var hasSecureElement: Bool { platform != .iOSSimulator }

    /// Before iOS 13 a foreign group was simply not found (GRP-07).
    package var foreignGroupIsNotFound: Bool { !hasFeature(sinceIOS: 13) }

    /// The accessibility of items that device management installs and that name none (ACC-36).
    package var managedItemProtection: ProtectionClass {
        hasFeature(sinceIOS: 15) ? .afterFirstUnlockThisDeviceOnly : .always
    }

    /// Whether apps are started ahead of their first use, maybe before the first unlock (ACC-37).
    package var prewarmsApps: Bool { platform == .iOS && version >= 15 }

    /// Whether there can be a second, file-based keychain.
    package var hasFileBasedKeychain: Bool { platform == .macOS }

    /// Whether stored passwords may be refused to the passcode in unfamiliar places (BIO-22).
    package var hasStolenDeviceProtection: Bool { platform == .iOS && version >= 26 }

    /// Whether devices of the platform recognize faces or fingers at all.
    package var canHaveBiometry: Bool { platform != .tvOS && platform != .watchOS }

    /// The iOS version that came out with this one; nil where versions are not compared.
    ///
    /// tvOS counts as iOS does, watchOS started seven and macOS three behind; 26 is one for all.
    private var contemporaryIOS: Int? {
        switch platform {
        case .iOS, .tvOS: version
        case .watchOS: version < 26 ? version + 7 : version
        case .catalyst: version < 26 ? version + 3 : version
        case .macOS, .iOSSimulator, .host: nil
        }
    }

    /// Whether the platform and version know a feature that came with the given iOS version.
    package func hasFeature(sinceIOS minimum: Int) -> Bool {
        contemporaryIOS.map { $0 >= minimum } ?? true
    }
}

extension SystemProfile: CustomStringConvertible {
    /// The platform and version, such as `iOS 26`.
    public var description: String {
        switch platform {
        case .iOS: "iOS \(version)"
        case .macOS: "macOS \(version)"
        case .tvOS: "tvOS \(version)"
        case .watchOS: "watchOS \(version)"
        case .catalyst: "Mac Catalyst \(version)"
        case .iOSSimulator: "iOS Simulator"
        case .host: "this machine"
        }
    }
}
