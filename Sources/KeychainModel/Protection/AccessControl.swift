/// The conditions for opening an item: protection class and required proofs.
///
/// It is the value of `SecAccessControl`.
/// - Source: requirements SAC-01, SAC-02, SAC-17 to SAC-24.
package struct AccessControl: Sendable, Hashable {
    /// The class whose key guards the item.
    package let protection: ProtectionClass
    /// The proofs that opening the item requires; empty for none.
    package let flags: Flags

    /// Creates an unchecked combination; use `validate` for one from outside.
    package init(protection: ProtectionClass, flags: Flags = []) {
        self.protection = protection
        self.flags = flags
    }

    /// Validates a combination from outside.
    ///
    /// - Parameters:
    ///   - flags: The caller's flags, unchecked.
    ///   - protection: The value of `kSecAttrAccessible`, such as `"ak"`.
    ///   - system: The system; features of later versions are refused.
    ///   - missingOperatorIsAnd: `BehaviorProfile.missingOperator`: whether two constraints without
    ///     an operator are both required instead of refused.
    /// - Returns: The combination.
    /// - Throws: `AccessControlError`, the first rule that the combination breaks.
    package static func validate(
        flags: Flags,
        protection: String,
        on system: SystemProfile = .host,
        missingOperatorIsAnd: Bool
    ) throws(AccessControlError) -> AccessControl {
        guard let protection = ProtectionClass(code: protection) else { throw .unknownProtection }
        guard !protection.requiresPasscode || system.hasFeature(sinceIOS: 8),
            flags.isKnown(to: system)
        else { throw .laterSystem }
        try flags.requireRules()
        if flags.lacksOperator && !missingOperatorIsAnd { throw .missingOperator }
        return AccessControl(protection: protection, flags: flags)
    }

    fileprivate struct Rule: Sendable {
        let error: AccessControlError
        let isBroken: @Sendable (Flags) -> Bool
    }

    fileprivate static let rules: [Rule] = [
        Rule(error: .unknownFlag) { !$0.isSubset(of: .all) },
        Rule(error: .bothOperators) { $0.isSuperset(of: [.or, .and]) },
        Rule(error: .bothBiometryKinds) { $0.isSuperset(of: [.biometryAny, .biometryCurrentSet]) },
        Rule(error: .userPresenceCombined) {
            $0.contains(.userPresence) && !$0.isSubset(of: .combinableWithUserPresence)
        },
    ]
}

extension AccessControl {
    /// Apple's `SecAccessControlCreateFlags` as a value of the engine; the bits are the same.
    package struct Flags: OptionSet, Sendable, Hashable {
        /// Bits 0 to 31 as Apple assigns them.
        package let rawValue: UInt64

        /// Accepts any bits; `validate` refuses unknown ones.
        package init(rawValue: UInt64) { self.rawValue = rawValue }

        /// Biometry or passcode, as the system chooses.
        package static let userPresence = Flags(rawValue: 1 << 0)
        /// Any enrolled face or finger.
        package static let biometryAny = Flags(rawValue: 1 << 1)
        /// A face or finger that was enrolled when the item was created.
        package static let biometryCurrentSet = Flags(rawValue: 1 << 3)
        /// The device's passcode.
        package static let devicePasscode = Flags(rawValue: 1 << 4)
        /// A paired device nearby.
        package static let companion = Flags(rawValue: 1 << 5)
        /// One of the constraints suffices.
        package static let or = Flags(rawValue: 1 << 14)
        /// All constraints have to be met.
        package static let and = Flags(rawValue: 1 << 15)
        /// A private key may be used, but not read.
        package static let privateKeyUsage = Flags(rawValue: 1 << 30)
        /// A password from the application becomes part of the item's key.
        package static let applicationPassword = Flags(rawValue: 1 << 31)

        /// The flags that each require one act of a person.
        package static let constraints: Flags = [
            .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .companion,
        ]
        static let all: Flags = constraints.union([
            .or, .and, .privateKeyUsage, .applicationPassword,
        ])
        static let combinableWithUserPresence: Flags = [
            .userPresence, .privateKeyUsage, .applicationPassword,
        ]

        /// The iOS version in which each flag appeared.
        ///
        /// - Source: requirement ACC-37.
        private static let introductions: [(flag: Flags, iOS: Int)] = [
            (.userPresence, 8),
            (.biometryAny, 9),
            (.biometryCurrentSet, 9),
            (.devicePasscode, 9),
            (.or, 9),
            (.and, 9),
            (.privateKeyUsage, 9),
            (.applicationPassword, 9),
            (.companion, 18),
        ]

        /// Whether the system has every flag that is set.
        func isKnown(to system: SystemProfile) -> Bool {
            Self.introductions.allSatisfy { row in
                !contains(row.flag) || system.hasFeature(sinceIOS: row.iOS)
            }
        }

        /// Throws for a combination that no profile allows.
        ///
        /// A program that speaks to a daemon directly may send one.
        /// - Throws: `AccessControlError`, the first rule that the flags break.
        func requireRules() throws(AccessControlError) {
            for rule in AccessControl.rules where rule.isBroken(self) { throw rule.error }
        }

        /// Throws the error of a call for a combination that no profile allows.
        ///
        /// - Throws: `errSecParam`.
        package func requireAllowed() throws(KeychainError) {
            do throws(AccessControlError) { try requireRules() } catch {
                throw KeychainError(.param, error.message)
            }
        }

        /// Whether a person has to act before the item opens.
        package var demandsPerson: Bool { !isDisjoint(with: .constraints) }

        /// Whether several constraints are set, but neither operator.
        package var lacksOperator: Bool {
            let count = intersection(.constraints).rawValue.nonzeroBitCount
            return count > 1 && isDisjoint(with: [.or, .and])
        }
    }
}
