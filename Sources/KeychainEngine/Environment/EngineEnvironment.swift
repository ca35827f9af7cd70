import Cryptography
import DataProtection
import KeychainModel

/// All that the engine takes from outside: time, randomness, and listeners.
///
/// Nothing here may call the engine: some of it is called with the engine's lock held.
package struct EngineEnvironment: Sendable {
    /// The wall clock, in seconds since 2001-01-01T00:00:00Z: for creation and modification dates.
    package var now: @Sendable () -> Double
    /// The device's clock: for grace periods and passcode delays.
    package var instant: @Sendable () -> DeviceInstant
    package var random: any RandomSource
    /// What is around the device: asked whenever somebody has to be authenticated, with no lock
    /// held.
    package var surroundings: @Sendable () -> Surroundings
    package var note: @Sendable (Finding) -> Void
    /// How many of how many rows are done, in work that may take long; of 0 where nobody knows.
    package var progress: @Sendable (_ done: Int, _ total: Int) -> Void
    package var announce: @Sendable (DeviceAnnouncement) -> Void
    /// Hears of every lock, and why; called with no lock held.
    package var locked: @Sendable (LockCause) -> Void = { _ in }
    /// Called whenever a class key unwraps the key of a value, with the engine's lock held; nil
    /// where such a trip to the secure element takes no time of its own.
    package var elementTrip: (@Sendable () -> Void)?
    /// Called whenever a passcode is about to be stretched, with no lock held.
    package var stretching: (@Sendable () -> Void)?
    /// Where it is stretched, and who answers for the account there.
    package var pool = StretchingPool.unlimited
    package var person: UInt32 = 0
    /// How much memory what calls found may take; nil for as much as there is.
    package var results: ResultBudget?
    /// How much memory programs may make it keep between calls; nil for as much as there is.
    package var kept: KeptBudget?

    package init(
        now: @escaping @Sendable () -> Double,
        instant: @escaping @Sendable () -> DeviceInstant,
        random: any RandomSource,
        surroundings: @escaping @Sendable () -> Surroundings = { Surroundings() },
        note: @escaping @Sendable (Finding) -> Void = { _ in },
        progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in },
        announce: @escaping @Sendable (DeviceAnnouncement) -> Void = { _ in },
        elementTrip: (@Sendable () -> Void)? = nil,
        stretching: (@Sendable () -> Void)? = nil
    ) {
        self.stretching = stretching
        self.elementTrip = elementTrip
        self.progress = progress
        self.now = now
        self.instant = instant
        self.random = random
        self.surroundings = surroundings
        self.note = note
        self.announce = announce
    }
}

extension EngineEnvironment {
    /// The persistent reference of a new item.
    func newReference() throws(KeychainError) -> [UInt8] {
        try fromCryptography(try random.bytes(PersistentReference.uuidByteCount))
    }
}
