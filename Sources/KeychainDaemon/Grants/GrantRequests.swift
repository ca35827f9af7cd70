import CallerEvidence
import KeychainEngine
import KeychainMessages
import KeychainModel

/// What a daemon answers to requests about grants.
package enum GrantRequests {
    /// Lists, grants or revokes; only the keychain's passcode changes anything.
    ///
    /// A wrong passcode counts like one to unlock. The lock state stays as it is.
    /// - Parameters:
    ///   - request: `grants`, `grant` or `revoke`.
    ///   - store: The grants of the account.
    ///   - engine: The account's keychain.
    /// - Returns: The list, or `done`.
    /// - Throws: `errSecAuthFailed` for a wrong passcode, or without one; as the store does;
    ///   `errSecParam` for any other request.
    package static func perform(
        _ request: DaemonRequest,
        on store: GrantStore,
        of engine: Engine
    ) throws(KeychainError) -> DaemonReply {
        switch request {
        case .grants: return .grants(try store.grants)
        case .grant(let grant, let passcode):
            if let problem = grant.problem { throw KeychainError(.param, problem) }
            try PasscodeProof.require(passcode, of: engine)
            try store.add(grant)
            return .done
        case .revoke(let grant, let passcode):
            try PasscodeProof.require(passcode, of: engine)
            try store.remove(grant)
            return .done
        case .describeCaller, .log, .verifyLog, .move, .simulate:
            throw KeychainError(.param, "the request is not about grants")
        }
    }
}
