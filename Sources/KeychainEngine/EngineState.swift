import DataProtection
import KeychainModel

/// The state behind the engine's lock: the session, the vault, and operations on both.
///
/// A search borrows it. Every other operation takes it `inout`.
package struct EngineState: ~Copyable, Sendable {
    var session: DeviceSession
    var vault: ItemVault
    /// Whether the process is ending and every key is wiped.
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

    /// Applies the changes that time and other processes made; called before every request.
    ///
    /// An authorized change of passcode that continues counts as use.
    mutating func refresh(using allowed: AllowedChange? = nil) throws(KeychainError) {
        let change = try session.follow(using: allowed)
        try vault.keepInStep(with: session, after: change)
    }

    /// Refreshes the state and serves a request; repeats it if another process has changed the
    /// keys.
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

    /// Changes the session, and then makes the vault drop the keys of classes that this closed.
    mutating func withSession<R>(
        _ body: (inout DeviceSession) throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        defer { vault.closeUnavailable(session) }
        return try body(&session)
    }

    /// Wipes class keys, metadata keys and proofs, permanently.
    mutating func end() {
        hasEnded = true
        session.end()
        vault.forgetKeys()
    }
}
