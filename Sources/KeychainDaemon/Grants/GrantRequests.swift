import CallerEvidence
import KeychainEngine
import KeychainMessages
import KeychainModel

/// A daemon's answers to requests about grants.
package enum GrantRequests {
    /// Lists, grants or revokes; a change requires the keychain's passcode.
    ///
    /// A wrong passcode counts like one to unlock. The lock state stays as it is.
    /// - Parameters:
    ///   - request: `grants`, `grant` or `revoke`.
    ///   - store: The grants of the account.
    ///   - engine: The account's keychain.
    /// - Returns: The list, or `done`.
    /// - Throws: `errSecAuthFailed` for a wrong passcode, or if none is set; the errors of the
    ///   store; `errSecParam` for any other request.
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
