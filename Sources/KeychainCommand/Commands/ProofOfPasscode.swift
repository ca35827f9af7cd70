import KeychainMessages
import KeychainModel
import Secrets

extension CommandContext {
    /// Proves to a system daemon that the person who runs the command knows the passcode.
    ///
    /// The daemon requires this proof before it reads or changes items of all access groups,
    /// because every program of the account can run this command. With any other endpoint this does
    /// nothing.
    ///
    /// - Parameter name: The name of the passcode in the prompt.
    /// - Returns: The correct passcode; nil if there was no prompt.
    /// - Throws: `errSecAuthFailed` for a wrong passcode, and for a keychain without one.
    @discardableResult
    package func provePasscodeToDaemon(
        called name: String = "Passcode"
    ) throws(CommandFailure) -> SharedSecret? {
        let endpoint = try connected()
        // The endpoint's kind is known only after a reply: a busy daemon must not be mistaken for
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
