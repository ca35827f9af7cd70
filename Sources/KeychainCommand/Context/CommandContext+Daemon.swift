import KeychainMessages
import KeychainModel

// What only a daemon can do.
extension CommandContext {
    /// Asks the daemon about itself.
    ///
    /// - Throws: `errSecUnimplemented` where the keychain is embedded; what the daemon refuses.
    func ask(_ request: DaemonRequest) throws(CommandFailure) -> DaemonReply {
        let channel = try daemon()
        return try CommandFailure.wrapping(try channel.perform(request))
    }

    /// The daemon that answers this command.
    ///
    /// - Throws: `errSecUnimplemented` where the keychain is embedded.
    func daemon() throws(CommandFailure) -> any DaemonChannel {
        if let channel = try connected() as? any DaemonChannel { return channel }
        let reason =
            "there is no daemon: the keychain is in this program, and every program of the account"
            + " can open it; to start one, run systemctl enable --now keychaind.socket as root"
        throw .keychain(KeychainError(.unimplemented, reason))
    }
}
