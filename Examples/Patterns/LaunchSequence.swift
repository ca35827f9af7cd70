import Foundation

/// The order in which an app touches the keychain when it starts.
///
/// First the leftovers of an earlier installation go, then old data moves, then old files go. Only
/// after that may libraries start that read the keychain themselves. On a locked device nothing of
/// this happens, and the sequence runs again after the unlock.
struct LaunchSequence {
    let cleanup: FirstLaunchCleanup
    let chain: MigrationChain
    let deferred: DeferredCleanup
    let startLibraries: () -> Void

    enum Outcome: Equatable {
        case ready
        case tryLater
    }

    func run(isProtectedDataAvailable: Bool, now: Date = Date()) throws -> Outcome {
        guard isProtectedDataAvailable else { return .tryLater }
        _ = try cleanup.run(isProtectedDataAvailable: true)
        let outcome = try chain.migrate(isProtectedDataAvailable: true)
        if case .migrated = outcome { try deferred.begin(at: now) }
        _ = try deferred.runIfDue(at: now)
        startLibraries()
        return .ready
    }
}
