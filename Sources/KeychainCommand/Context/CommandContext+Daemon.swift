import KeychainMessages
import KeychainModel

// Requests that only a daemon can answer.
extension CommandContext {
    /// Sends a request about the daemon itself.
    ///
    /// - Throws: `errSecUnimplemented` if the keychain is embedded; otherwise the daemon's error.
    func ask(_ request: DaemonRequest) throws(CommandFailure) -> DaemonReply {
        let channel = try daemon()
        return try CommandFailure.wrapping(try channel.perform(request))
    }

    /// Returns the channel to the daemon that serves this command.
    ///
    /// - Throws: `errSecUnimplemented` if the keychain is embedded.
    func daemon() throws(CommandFailure) -> any DaemonChannel {
        if let channel = try connected() as? any DaemonChannel { return channel }
        let reason =
            "there is no daemon: the keychain is in this program, and every program of the account"
            + " can open it; to start one, run systemctl enable --now keychaind.socket as root"
        throw .keychain(KeychainError(.unimplemented, reason))
    }
}
