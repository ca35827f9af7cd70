import DataProtection
import Synchronization

/// The clock of a rig, which stands still unless `advance` is called.
final class RigClock: Sendable {
    private let uptime = Mutex(Duration.seconds(1))

    /// Returns the present moment of the only boot in a run.
    func instant() -> DeviceInstant {
        DeviceInstant(
            bootID: [UInt8](repeating: 1, count: DeviceInstant.bootIDByteCount),
            uptime: uptime.withLock { $0 }
        )
    }

    /// Advances the clock.
    func advance(by duration: Duration) { uptime.withLock { $0 += duration } }
}
