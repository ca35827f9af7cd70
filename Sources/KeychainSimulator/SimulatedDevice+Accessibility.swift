import KeychainModel

// Advice on accessibility.
extension SimulatedDevice {
    /// A value of `kSecAttrAccessible`, which says when an item can be read.
    ///
    /// ```swift
    /// let needs: SimulatedDevice.Accessibility.Needs = [.background, .migration]
    /// let advice = SimulatedDevice.Accessibility.advised(for: needs)
    /// print(advice?.name ?? "none")  // kSecAttrAccessibleAfterFirstUnlock
    /// ```
    /// - Source: Apple's "Restricting keychain item accessibility".
    public struct Accessibility: Sendable, Hashable, CaseIterable, Comparable {
        private let protection: ProtectionClass

        private init(_ protection: ProtectionClass) { self.protection = protection }

        /// All seven classes, the most restrictive first.
        public static let allCases = ProtectionClass.table.map { Accessibility($0.protectionClass) }

        /// Apple's name of the constant, such as `kSecAttrAccessibleWhenUnlocked`.
        public var name: String { protection.row.constant }

        /// The value of the constant, such as `ak`.
        public var value: String { protection.code }

        /// Returns whether the first class is more restrictive than the second.
        public static func < (first: Accessibility, second: Accessibility) -> Bool {
            first.protection.restrictiveness < second.protection.restrictiveness
        }
    }
}

extension SimulatedDevice.Accessibility {
    /// The properties that a secret needs of its accessibility.
    ///
    /// ```swift
    /// let needs: SimulatedDevice.Accessibility.Needs = [.background, .migration]
    /// ```
    public struct Needs: OptionSet, Sendable, Hashable {
        /// The needs as bits.
        public let rawValue: UInt8

        /// Creates needs from bits; unknown bits have no effect.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Code reads the secret while the device is locked.
        public static let background = Needs(rawValue: AccessNeeds.background.rawValue)
        /// The secret moves to a new device with a backup.
        public static let migration = Needs(rawValue: AccessNeeds.migration.rawValue)
        /// The device destroys the secret when the user removes the passcode.
        public static let selfDestruction = Needs(rawValue: AccessNeeds.selfDestruction.rawValue)
    }

    /// Returns the most restrictive class that meets the needs, and never a deprecated one.
    ///
    /// - Returns: The class, or nil if no class meets all needs.
    /// - Source: Keychain access control guide, Decision Matrix.
    public static func advised(for needs: Needs) -> SimulatedDevice.Accessibility? {
        AccessibilityAdvice.protection(for: AccessNeeds(rawValue: needs.rawValue)).map(Self.init)
    }

    /// The uses in the guide's decision matrix, such as `VPN credential`.
    public static let documentedUses = AccessibilityAdvice.useCases.map(\.name)

    /// Returns the class that the guide's decision matrix recommends for a use.
    ///
    /// - Returns: The class, or nil if the use is not one of ``documentedUses``.
    /// - Source: Keychain access control guide, Decision Matrix.
    public static func advised(forUse use: String) -> SimulatedDevice.Accessibility? {
        let known = AccessibilityAdvice.useCases.first { $0.name == use }
        return known.flatMap { AccessibilityAdvice.protection(for: $0.needs) }.map(Self.init)
    }
}
