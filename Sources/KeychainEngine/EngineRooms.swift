import DataProtection
import KeychainModel

/// What the engine's lock guards: two rooms, and what takes both.
///
/// Who borrows it searches; who has it `inout` may do anything.
package struct EngineRooms: ~Copyable, Sendable {
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

    /// Before every request: what time and other processes changed.
    mutating func refresh() throws(KeychainError) {
        let change = try session.follow()
        try vault.keepInStep(with: session, after: change)
    }

    /// Changes the session, and has the vault let go of what that closed.
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
        vault.keyring = MetadataKeyring()
    }
}
