import Synchronization

/// The rule by which a thread looks for arrivals before it sleeps, learned from its last waits.
///
/// Putting a processor to sleep and waking it costs more than a small request. A thread whose
/// messages follow each other within microseconds therefore looks for the next one before it
/// sleeps. If looking finds no message, it soon stops, and tries again occasionally.
///
/// Example: a program reads a hundred items. From its thirty-third call on, program and daemon look
/// for each other's messages, and each call takes a third of the time.
package struct WaitingHabit: Sendable, Hashable {
    /// The duration of a look.
    ///
    /// It is longer than a message takes while both sides sleep; otherwise no look would ever find
    /// one. The thread yields to others throughout.
    static let lookNanoseconds: UInt64 = 200_000
    /// The longest yield of a look; after a longer one the processor was shared, and does not sleep
    /// anyway.
    static let pauseNanoseconds: UInt64 = 20_000
    /// The number of waits without a look before the next trial: at most 7 µs for each wait.
    static let sleepsBetweenTrials: UInt8 = 32
    /// The number of looks that may fail after a period in which all were successful.
    private static let mostTrust: UInt8 = 4

    /// The number of further looks that may fail.
    private var trust: UInt8 = 0
    /// The number of waits since the last look.
    private var sleeps: UInt8 = 0

    package init() {}

    /// Whether the next wait starts with a look.
    package var looks: Bool { trust > 0 || sleeps >= Self.sleepsBetweenTrials }

    /// Records a wait that slept at once.
    package mutating func sleep() { sleeps = min(sleeps + 1, Self.sleepsBetweenTrials) }

    /// Records the outcome of a look.
    package mutating func look(found: Bool) {
        sleeps = 0
        if found {
            trust = min(trust + 2, Self.mostTrust)
        } else {
            trust -= trust == 0 ? 0 : 1
        }
    }
}

// Two bytes, so that a stream with several waiting threads keeps its habit without a lock.
extension WaitingHabit: AtomicRepresentable {
    package typealias AtomicRepresentation = UInt16.AtomicRepresentation

    package static func encodeAtomicRepresentation(
        _ value: consuming WaitingHabit
    ) -> AtomicRepresentation {
        UInt16.encodeAtomicRepresentation(UInt16(value.trust) << 8 | UInt16(value.sleeps))
    }

    package static func decodeAtomicRepresentation(
        _ representation: consuming AtomicRepresentation
    ) -> WaitingHabit {
        let raw = UInt16.decodeAtomicRepresentation(representation)
        var habit = WaitingHabit()
        habit.trust = UInt8(truncatingIfNeeded: raw >> 8)
        habit.sleeps = UInt8(truncatingIfNeeded: raw)
        return habit
    }
}
