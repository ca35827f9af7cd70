import Synchronization

/// Whether a thread looks for arrivals before it sleeps, learned from how its last waits ended.
///
/// To put a processor to sleep and to wake it costs more than a small request. A thread whose
/// messages follow each other within microseconds therefore looks for the next one before it
/// sleeps. Where looking finds nothing, it soon stops, and tries again once in a while.
///
/// Example: a program reads a hundred items. From its thirty-third call on, program and daemon look
/// for each other's messages, and each call takes a third of the time.
package struct WaitingHabit: Sendable, Hashable {
    /// How long a thread looks.
    ///
    /// It is longer than a find takes while both sides sleep: otherwise no look would ever find
    /// anything. The thread gives way to others all the while.
    static let lookNanoseconds: UInt64 = 200_000
    /// A thread that gave way for longer shared its processor, which then does not sleep anyway.
    static let pauseNanoseconds: UInt64 = 20_000
    /// After so many waits without a look, one looks again: at most 7 µs for each wait.
    static let sleepsBetweenTrials: UInt8 = 32
    /// How many looks may fail after a time in which all found something.
    private static let mostTrust: UInt8 = 4

    /// How many more looks may find nothing.
    private var trust: UInt8 = 0
    /// How many waits went by without a look.
    private var sleeps: UInt8 = 0

    package init() {}

    /// Whether the next wait begins with a look.
    package var looks: Bool { trust > 0 || sleeps >= Self.sleepsBetweenTrials }

    /// Notes a wait that slept at once.
    package mutating func sleep() { sleeps = min(sleeps + 1, Self.sleepsBetweenTrials) }

    /// Notes a look.
    package mutating func look(found: Bool) {
        sleeps = 0
        if found {
            trust = min(trust + 2, Self.mostTrust)
        } else {
            trust -= trust == 0 ? 0 : 1
        }
    }
}

// Two bytes, so that a stream which many threads may wait for keeps its habit without a lock.
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
