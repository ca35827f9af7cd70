import Vault

/// The accounts of an app: sessions for the background, and a recovery key that the user unlocks.
struct Accounts: Sendable {
    let vault = Vault()

    private func session(_ name: String) -> Password { Password(service: "session", account: name) }

    private func recoveryKey(_ name: String) -> Password {
        Password(service: "recovery", account: name, protection: .requiring(.userPresence))
    }

    func signIn(_ name: String, _ session: Session, recoveryKey key: String) throws(VaultError) {
        try vault.save(session, in: self.session(name))
        try vault.save(key, in: recoveryKey(name))
    }

    /// Returns the session, or nil if the user is signed out; throws while it is out of reach.
    func session(of name: String) throws(VaultError) -> Session? { try vault.read(session(name)) }

    func recoveryKey(of name: String, because reason: String) async throws(VaultError) -> String? {
        try await vault.read(recoveryKey(name), approval: Approval(reason: reason))
    }

    func names() throws(VaultError) -> [String] {
        try vault.list(.passwords(service: "session")).map(\.item.account)
    }

    func signOut(_ name: String) throws(VaultError) {
        for item in [session(name), recoveryKey(name)] { try vault.delete(item) }
    }
}
