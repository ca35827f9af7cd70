import KeychainModel

// Which accessibility fits which secret.
extension SimulatedDevice {
    /// When an item can be read: the values of `kSecAttrAccessible`, in Apple's order.
    ///
    /// ```swift
    /// let needs: SimulatedDevice.Accessibility.Needs = [.background, .migration]
    /// SimulatedDevice.Accessibility.advised(for: needs)?.value  // "ck": AfterFirstUnlock
    /// ```
    /// - Source: Keychain access control guide; Apple: Restricting Keychain Item Accessibility.
    public struct Accessibility: Sendable, Hashable, CaseIterable, Comparable {
        private let protection: ProtectionClass

        private init(_ protection: ProtectionClass) { self.protection = protection }

        /// All seven, the most restrictive first.
        public static let allCases = ProtectionClass.table.map { Accessibility($0.protectionClass) }

        /// Apple's name of the constant, such as `kSecAttrAccessibleWhenUnlocked`.
        public var name: String { protection.row.constant }

        /// The constant's value, such as `ak`.
        public var value: String { protection.code }

        /// Whether the first class is more restrictive than the second.
        public static func < (first: Accessibility, second: Accessibility) -> Bool {
            first.protection.restrictiveness < second.protection.restrictiveness
        }
    }
}

extension SimulatedDevice.Accessibility {
    /// What a secret needs of its accessibility.
    public struct Needs: OptionSet, Sendable, Hashable {
        /// The needs as bits.
        public let rawValue: UInt8

        /// Takes over bits; unknown ones demand nothing.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Code reads it while the device is locked.
        public static let background = Needs(rawValue: AccessNeeds.background.rawValue)
        /// It comes along to a new device in a backup.
        public static let migration = Needs(rawValue: AccessNeeds.migration.rawValue)
        /// It is destroyed when the passcode is removed.
        public static let selfDestruction = Needs(rawValue: AccessNeeds.selfDestruction.rawValue)
    }

    /// Names the most restrictive class that meets the needs, and never a deprecated one.
    ///
    /// - Returns: nil for needs that no class meets together.
    public static func advised(for needs: Needs) -> SimulatedDevice.Accessibility? {
        AccessibilityAdvice.protection(for: AccessNeeds(rawValue: needs.rawValue)).map(Self.init)
    }

    /// Uses that Apple's guides name, such as `VPN credential`.
    public static let documentedUses = AccessibilityAdvice.useCases.map(\.name)

    /// Names the class that the guides choose for a use.
    ///
    /// - Returns: nil for a use that is none of ``documentedUses``.
    public static func advised(forUse use: String) -> SimulatedDevice.Accessibility? {
        let known = AccessibilityAdvice.useCases.first { $0.name == use }
        return known.flatMap { AccessibilityAdvice.protection(for: $0.needs) }.map(Self.init)
    }
}
