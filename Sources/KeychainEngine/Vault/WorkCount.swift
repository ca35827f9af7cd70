import Synchronization

/// How much work was done: what tests and benchmarks look at.
///
/// - Source: requirements STO-03, STO-04, STO-05, STO-07.
package struct EngineCounters: Sendable, Equatable {
    package var openedMetadata = 0
    package var openedSecrets = 0
    /// How often a class key unwrapped the key of a value: on Apple's hardware, a trip to the
    /// Secure Enclave each.
    package var elementTrips = 0
}

/// The counters, which searches on several threads raise.
final class WorkCount: Sendable {
    private let metadata = Atomic(0)
    private let secrets = Atomic(0)
    private let trips = Atomic(0)
    private let elementTrip: (@Sendable () -> Void)?

    /// `elementTrip` is called for each trip; a simulated one takes time.
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
