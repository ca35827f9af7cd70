import DataProtection
import Synchronization

/// The clock of a rig: it stands still until somebody has to wait.
final class RigClock: Sendable {
    private let uptime = Mutex(Duration.seconds(1))

    /// This moment of the one boot that a run has.
    func instant() -> DeviceInstant {
        DeviceInstant(
            bootID: [UInt8](repeating: 1, count: DeviceInstant.bootIDByteCount),
            uptime: uptime.withLock { $0 }
        )
    }

    /// Lets time pass.
    func advance(by duration: Duration) { uptime.withLock { $0 += duration } }
}
