import KeychainMessages
import KeychainModel
import Secrets

extension CommandContext {
    /// Proves to a system daemon that somebody who knows the passcode runs the command.
    ///
    /// The daemon demands that before it does something to the items of all access groups, because
    /// every program of the account can run this command. Elsewhere it does nothing.
    ///
    /// - Parameter name: What the prompt calls the passcode.
    /// - Returns: The passcode, which is the right one; nil where nobody was prompted.
    /// - Throws: `errSecAuthFailed` for a wrong one, and for a keychain without one.
    @discardableResult
    package func provePasscodeToDaemon(
        called name: String = "Passcode"
    ) throws(CommandFailure) -> SharedSecret? {
        let endpoint = try connected()
        // After an answer it is known who answers: a daemon that is busy must not be taken for
        // another kind of keychain.
        let isPasscodeSet = try status().isPasscodeSet
        guard endpoint.endpointDescription.kind == .systemDaemon else { return nil }
        guard isPasscodeSet else {
            let reason =
                "the keychain has no passcode, so the daemon cannot tell you from a program;"
                + " run keychainctl passcode set first"
            throw .keychain(KeychainError(.authFailed, reason))
        }
        let passcode = try SecretInput(terminal).line(called: name)
        _ = try CommandFailure.wrapping(try endpoint.send(.unlock(passcode: passcode)))
        return passcode
    }
}
