import Cryptography
import DataProtection
import KeychainModel

/// The engine's inputs from outside: time, randomness, and listeners.
///
/// None of them may call the engine, because it calls some of them with its lock held.
package struct EngineEnvironment: Sendable {
    /// The wall clock, in seconds since 2001-01-01T00:00:00Z: for creation and modification dates.
    package var now: @Sendable () -> Double
    /// The device's clock: for grace periods and passcode delays.
    package var instant: @Sendable () -> DeviceInstant
    package var random: any RandomSource
    /// Reads the device's surroundings; called without a lock before an authentication.
    package var surroundings: @Sendable () -> Surroundings
    package var note: @Sendable (Finding) -> Void
    /// Reports progress of long work in rows done and in total; the total is 0 if it is unknown.
    package var progress: @Sendable (_ done: Int, _ total: Int) -> Void
    package var announce: @Sendable (DeviceAnnouncement) -> Void
    /// Called after every lock with its cause, without a lock held.
    package var locked: @Sendable (LockCause) -> Void = { _ in }
    /// Called with the engine's lock held whenever a class key unwraps the key of a value.
    ///
    /// It is nil if such a trip to the secure element takes no time worth counting.
    package var elementTrip: (@Sendable () -> Void)?
    /// Called before each stretching of a passcode, without a lock held.
    package var stretching: (@Sendable () -> Void)?
    /// The pool that stretches passcodes, and the user ID that it charges.
    package var pool = StretchingPool.unlimited
    package var person: UInt32 = 0
    /// The memory limit for the results of calls; nil for no limit.
    package var results: ResultBudget?
    /// The memory limit for state that programs keep between calls; nil for no limit.
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
    /// Returns a random persistent reference for a new item.
    func newReference() throws(KeychainError) -> [UInt8] {
        try fromCryptography(try random.bytes(PersistentReference.uuidByteCount))
    }
}
