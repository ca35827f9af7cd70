import KeychainSockets
import Secrets
import Synchronization

@_implementationOnly import CProcess

/// Gives memory and descriptors back, on a thread of its own: threads that serve everybody wait for
/// no engine and no disk.
///
/// It sleeps while there is nothing to give back.
final class Housekeeper: Sendable {
    private static let pauseMilliseconds: Int32 = 5000
    /// How long it pauses where many are used in turn: a look at all of them takes time, too.
    private static let shortestPause: Int32 = 50
    private static let trimPause = Duration.seconds(5)

    private let wake: WakePipe
    private let isResting = Atomic(false)
    /// Whether it looks from time to time.
    private let isLooking = Atomic(false)
    private let isStopped = Atomic(false)
    private let isHurried = Atomic(false)
    /// How many keychains were open after the last look.
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

    /// Nothing was sent for a while: what only makes calls faster can go.
    func rest() {
        isResting.store(true, ordering: .releasing)
        wake.wake()
    }

    /// A keychain is used: it may be closed after a while, or others instead of it now.
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
                // What threads that have ended used goes back to the system.
                process_trim_memory()
                trimmed = .now
            }
            stop.wait(milliseconds: Self.shortestPause)
            isHurried.store(false, ordering: .relaxed)
        }
    }
}
