import KeychainSockets
import Secrets
import Synchronization

@_implementationOnly import CProcess

/// A thread that releases memory and descriptors.
///
/// The threads that serve all connections must not wait for an engine or a disk. It sleeps while
/// there is nothing to release.
final class Housekeeper: Sendable {
    private static let pauseMilliseconds: Int32 = 5000
    /// The pause if many keychains are used in turn, because checking all of them takes time.
    private static let shortestPause: Int32 = 50
    private static let trimPause = Duration.seconds(5)

    private let wake: WakePipe
    private let isResting = Atomic(false)
    /// Whether it checks periodically.
    private let isLooking = Atomic(false)
    private let isStopped = Atomic(false)
    private let isHurried = Atomic(false)
    /// The number of open keychains after the last check.
    private let stayed = Atomic(0)
    private let stop: WakePipe
    private let keychains: AccountKeychains

    /// Returns nil if the process has no descriptors or threads left.
    init?(_ keychains: AccountKeychains) {
        guard let wake = WakePipe(), let stop = WakePipe() else { return nil }
        self.wake = wake
        self.stop = stop
        self.keychains = keychains
        guard DetachedThread.start({ [self] in run() }) else { return nil }
    }

    /// Releases caches soon, because nothing was sent for a while.
    func rest() {
        isResting.store(true, ordering: .releasing)
        wake.wake()
    }

    /// Records the use of a keychain: it can be closed later, or others can be closed now.
    func keychainWarmed() {
        let stayed = stayed.load(ordering: .relaxed)
        if keychains.limits.areExceeded(by: keychains.counts, stayed: stayed) {
            if !isHurried.exchange(true, ordering: .relaxed) { wake.wake() }
        } else if !isLooking.load(ordering: .relaxed) {
            wake.wake()
        }
    }

    func end() {
        isStopped.store(true, ordering: .releasing)
        stop.wake()
        wake.wake()
    }

    private func run() {
        var hasWork = false
        var trimmed = ContinuousClock.now
        while true {
            wake.wait(milliseconds: hasWork ? Self.pauseMilliseconds : -1)
            guard !isStopped.load(ordering: .acquiring) else { return }
            hasWork = keychains.giveBack()
            isLooking.store(hasWork, ordering: .relaxed)
            stayed.store(keychains.counts.open, ordering: .relaxed)
            if isResting.exchange(false, ordering: .acquiringAndReleasing) {
                for engine in keychains.engines.values { engine.releaseMemory() }
                process_release_code()
            }
            if !hasWork || trimmed.advanced(by: Self.trimPause) <= .now {
                // Return the memory of ended threads to the system.
                process_trim_memory()
                trimmed = .now
            }
            stop.wait(milliseconds: Self.shortestPause)
            isHurried.store(false, ordering: .relaxed)
        }
    }
}
