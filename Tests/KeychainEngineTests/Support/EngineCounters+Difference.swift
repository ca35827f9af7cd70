@testable import KeychainEngine

extension EngineCounters {
    /// The work between two looks at the counters.
    static func - (later: EngineCounters, earlier: EngineCounters) -> EngineCounters {
        EngineCounters(
            openedMetadata: later.openedMetadata - earlier.openedMetadata,
            openedSecrets: later.openedSecrets - earlier.openedSecrets,
            elementTrips: later.elementTrips - earlier.elementTrips
        )
    }
}
