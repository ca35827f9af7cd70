import Cryptography
import DataProtection
import KeychainModel

/// The state that several processes of one user share: who unlocked the device, until when.
///
/// - Source: Documentation/Spec/keybag.md, session image.
package protocol UnlockSession: Sendable {
    /// Tells one state of the session from the next; cheap enough for every call. nil: none.
    func stamp() throws(KeychainError) -> StorageStamp?
    /// The session image; nil when nobody unlocked the device since it started.
    func read() throws(KeychainError) -> [UInt8]?
    /// Replaces the session image; nil ends the session.
    func replace(with image: [UInt8]?) throws(KeychainError)
}

/// All that the engine takes from outside: time, randomness, other processes, and listeners.
package struct EngineEnvironment: Sendable {
    /// The wall clock, in seconds since 2001-01-01T00:00:00Z: for creation and modification dates.
    package var now: @Sendable () -> Double
    /// The device's clock: for grace periods and passcode delays.
    package var instant: @Sendable () -> DeviceInstant
    package var random: any RandomSource
    /// What is around the device: asked whenever somebody has to be authenticated.
    package var surroundings: @Sendable () -> Surroundings
    /// nil for a device that belongs to one process.
    package var session: (any UnlockSession)?
    package var note: @Sendable (Finding) -> Void
    package var announce: @Sendable (DeviceAnnouncement) -> Void

    package init(
        now: @escaping @Sendable () -> Double,
        instant: @escaping @Sendable () -> DeviceInstant,
        random: any RandomSource,
        surroundings: @escaping @Sendable () -> Surroundings = { Surroundings() },
        session: (any UnlockSession)? = nil,
        note: @escaping @Sendable (Finding) -> Void = { _ in },
        announce: @escaping @Sendable (DeviceAnnouncement) -> Void = { _ in }
    ) {
        self.now = now
        self.instant = instant
        self.random = random
        self.surroundings = surroundings
        self.session = session
        self.note = note
        self.announce = announce
    }
}
