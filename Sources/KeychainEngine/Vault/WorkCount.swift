import Synchronization

/// Counts of the engine's work, for tests and benchmarks.
///
/// - Source: requirements STO-03, STO-04, STO-05, STO-07.
package struct EngineCounters: Sendable, Equatable {
    package var openedMetadata = 0
    package var openedSecrets = 0
    /// The number of times a class key unwrapped the key of a value.
    ///
    /// On Apple's hardware, each is a trip to the Secure Enclave.
    package var elementTrips = 0
}

/// The counters, which concurrent searches increment.
final class WorkCount: Sendable {
    private let metadata = Atomic(0)
    private let secrets = Atomic(0)
    private let trips = Atomic(0)
    private let elementTrip: (@Sendable () -> Void)?

    /// Creates counters; `elementTrip` is called for each trip, so that a simulated one can take
    /// time.
    init(elementTrip: (@Sendable () -> Void)? = nil) { self.elementTrip = elementTrip }

    func countMetadata() { metadata.add(1, ordering: .relaxed) }
    func countSecret() { secrets.add(1, ordering: .relaxed) }

    func countTrip() {
        trips.add(1, ordering: .relaxed)
        elementTrip?()
    }

    var counters: EngineCounters {
        EngineCounters(
            openedMetadata: metadata.load(ordering: .relaxed),
            openedSecrets: secrets.load(ordering: .relaxed),
            elementTrips: trips.load(ordering: .relaxed)
        )
    }
}
