import KeychainMessages
import KeychainModel

extension CommandContext {
    /// Proves to a system daemon that somebody who knows the passcode runs the command.
    ///
    /// The daemon demands that before items of all access groups leave or enter a keychain, because
    /// every program of the account can run this command. Elsewhere it does nothing.
    func provePasscodeToDaemon() throws(CommandFailure) {
        let endpoint = try connected()
        guard endpoint.endpointDescription.kind == .systemDaemon else { return }
        guard try status().isPasscodeSet else {
            let reason =
                "the keychain has no passcode, so the daemon cannot tell you from a program;"
                + " run keychainctl passcode set first"
            throw .keychain(KeychainError(.authFailed, reason))
        }
        let passcode = try SecretInput(terminal).line(called: "Passcode")
        _ = try CommandFailure.wrapping(try endpoint.send(.unlock(passcode: passcode)))
    }
}
