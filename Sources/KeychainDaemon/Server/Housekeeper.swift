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
    /// How long a keychain is unused until it gives back its spare connections, and until it is
    /// closed.
    private static let restTime = Duration.seconds(5)
    private static let closeTime = Duration.seconds(60)
    /// How many unused keychains stay open for their next call.
    static let openLimit = 256

    private let wake: WakePipe
    private let isResting = Atomic(false)
    /// Whether it looks from time to time.
    private let isLooking = Atomic(false)
    private let isStopped = Atomic(false)
    private let keychains: AccountKeychains

    /// Returns nil if the process has no descriptors or threads left.
    init?(_ keychains: AccountKeychains) {
        guard let wake = WakePipe() else { return nil }
        self.wake = wake
        self.keychains = keychains
        guard DetachedThread.start({ [self] in run() }) else { return nil }
    }

    /// Nothing was sent for a while: what only makes calls faster can go.
    func rest() {
        isResting.store(true, ordering: .releasing)
        wake.wake()
    }

    /// A keychain was opened: it may be closed after a while.
    func keychainOpened() {
        if !isLooking.load(ordering: .relaxed) { wake.wake() }
    }

    func end() {
        isStopped.store(true, ordering: .releasing)
        wake.wake()
    }

    private func run() {
        var hasWork = false
        while true {
            wake.wait(milliseconds: hasWork ? Self.pauseMilliseconds : -1)
            guard !isStopped.load(ordering: .acquiring) else { return }
            hasWork = keychains.giveBack(
                resting: Self.restTime,
                closing: Self.closeTime,
                above: Self.openLimit
            )
            isLooking.store(hasWork, ordering: .relaxed)
            if isResting.exchange(false, ordering: .acquiringAndReleasing) {
                for engine in keychains.engines.values { engine.releaseMemory() }
                process_release_code()
            }
            // What threads that have ended used goes back to the system.
            process_trim_memory()
        }
    }
}
