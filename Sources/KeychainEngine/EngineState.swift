import DataProtection
import KeychainModel

/// The state that the engine's lock guards: the session, the vault, and what needs both.
///
/// A search borrows it. Every other operation takes it `inout`.
package struct EngineState: ~Copyable, Sendable {
    var session: DeviceSession
    var vault: ItemVault
    /// Whether the process is ending, and every key is gone.
    private(set) var hasEnded = false

    init(
        device: consuming Device,
        store: consuming ItemStore,
        environment: EngineEnvironment,
        profiles: Profiles
    ) throws(KeychainError) {
        let session = DeviceSession(device: device, environment: environment, profiles: profiles)
        vault = try ItemVault(
            store: store,
            session,
            environment: environment,
            profiles: profiles
        )
        self.session = session
    }

    /// Before every request: what time and other processes changed; a change of passcode that was
    /// allowed and goes on counts as use.
    mutating func refresh(using allowed: AllowedChange? = nil) throws(KeychainError) {
        let change = try session.follow(using: allowed)
        try vault.keepInStep(with: session, after: change)
    }

    /// Serves a request in step with time and other processes; once more if they changed the keys.
    mutating func serve<R>(
        using allowed: AllowedChange? = nil,
        _ body: (inout EngineState) throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        try refresh(using: allowed)
        vault.store.retryPendingTruncation()
        do throws(KeychainError) { return try body(&self) } catch {
            guard error.isAboutOtherKeys else { throw error }
        }
        try settleKeySet()
        try refresh(using: allowed)
        return try body(&self)
    }

    /// Changes the session, and then has the vault drop the keys that this closed.
    mutating func withSession<R>(
        _ body: (inout DeviceSession) throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        defer { vault.closeUnavailable(session) }
        return try body(&session)
    }

    /// Wipes class keys, metadata keys and proofs, for good.
    mutating func end() {
        hasEnded = true
        session.end()
        vault.forgetKeys()
    }
}
