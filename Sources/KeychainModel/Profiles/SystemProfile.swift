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
    /// It shows the bugs that a test in that simulator cannot find.
    public static let iOSSimulator = SystemProfile(platform: .iOSSimulator, version: 26)

    /// This machine: the macOS rules, with application groups as access groups.
    package static let host = SystemProfile(platform: .host, version: 26)

    /// Whether match keys in an add, update or delete are removed instead of refused.
    package var ignoresMatchKeysInWrites: Bool { platform == .macOS || platform == .host }

    /// Whether `com.apple.security.application-groups` count as access groups.
    package var applicationGroupsAreAccessGroups: Bool { platform != .macOS }

    /// Whether a query has to request the data protection keychain.
    package var needsDataProtectionFlag: Bool { platform == .macOS }

    /// Whether locking closes protection classes.
    package var enforcesLockState: Bool { platform != .iOSSimulator }

    /// Whether naming a group needs an entitlement.
    package var enforcesEntitlements: Bool { platform != .iOSSimulator }

    /// Whether keys can be made in a secure element; Apple's iOS Simulator has none (KEY-19).
    package var hasSecureElement: Bool { platform != .iOSSimulator }

    /// Whether a foreign group counts as not found, as before iOS 13 (GRP-07).
    package var foreignGroupIsNotFound: Bool { !hasFeature(sinceIOS: 13) }

    /// The accessibility of items that device management installs without one (ACC-36).
    package var managedItemProtection: ProtectionClass {
        hasFeature(sinceIOS: 15) ? .afterFirstUnlockThisDeviceOnly : .always
    }

    /// Whether apps may start before their first use, even before the first unlock (ACC-37).
    package var prewarmsApps: Bool { platform == .iOS && version >= 15 }

    /// Whether there can be a second, file-based keychain.
    package var hasFileBasedKeychain: Bool { platform == .macOS }

    /// Whether the passcode may be refused for stored passwords in unfamiliar places (BIO-22).
    package var hasStolenDeviceProtection: Bool { platform == .iOS && version >= 26 }

    /// Whether devices of the platform can have biometry.
    package var canHaveBiometry: Bool { platform != .tvOS && platform != .watchOS }

    /// The iOS version released together with this one; nil if versions are not compared.
    ///
    /// tvOS has the same numbers as iOS; watchOS started seven behind and macOS three. From 26 on,
    /// all are the same.
    private var contemporaryIOS: Int? {
        switch platform {
        case .iOS, .tvOS: version
        case .watchOS: version < 26 ? version + 7 : version
        case .catalyst: version < 26 ? version + 3 : version
        case .macOS, .iOSSimulator, .host: nil
        }
    }

    /// Whether the system has a feature that came with the given iOS version.
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
