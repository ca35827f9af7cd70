/// The rules that a combination of protection and flags can break; the status is `errSecParam`.
package enum AccessControlError: Error, Hashable, Sendable, CaseIterable {
    /// SAC-02: the protection is not one of the seven accessibility values.
    case unknownProtection
    /// A bit is set that has no meaning.
    case unknownFlag
    /// ACC-37: a flag or the protection belongs to a later version of the system.
    case laterSystem
    /// SAC-19: `.or` together with `.and`.
    case bothOperators
    /// SAC-20: `.biometryAny` together with `.biometryCurrentSet`.
    case bothBiometryKinds
    /// SAC-21: `.userPresence` with another constraint or an operator.
    case userPresenceCombined
    /// SAC-17: several constraints without `.or` or `.and`.
    case missingOperator

    /// A sentence that tells a developer what to change.
    package var message: String {
        switch self {
        case .unknownProtection:
            "The protection is not one of the kSecAttrAccessible values."
        case .unknownFlag:
            "The flags contain an unknown bit."
        case .laterSystem:
            "A flag or the protection came with a later version of the system."
        case .bothOperators:
            "Choose .or or .and: an access control has one operator."
        case .bothBiometryKinds:
            "Choose .biometryAny or .biometryCurrentSet: they exclude each other."
        case .userPresenceCombined:
            ".userPresence goes only with .privateKeyUsage and .applicationPassword."
        case .missingOperator:
            "Several constraints need .or or .and between them."
        }
    }

    /// The message and, if profiles differ, the outcome in each and the line that selects one.
    package var explanation: String {
        guard self == .missingOperator, let outcomes = DiagnosticRule.missingOperator.otherProfile
        else { return message }
        return "\(message) [\(outcomes)]"
    }
}
