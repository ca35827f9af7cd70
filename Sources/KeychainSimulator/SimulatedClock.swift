import DataProtection
import Synchronization

/// The time of one simulated device: it moves only when told.
final class SimulatedClock: Sendable {
    private struct State {
        var bootCount: UInt64 = 1
        var uptime = Duration.zero
        /// All virtual time since the device was made, reboots included.
        var age = Duration.zero
        /// The latest date that was given out.
        var latestDate = -Double.infinity
        /// How long a trip to the secure element takes.
        var elementLatency = Duration.zero

        mutating func advance(by duration: Duration) {
            uptime += duration
            age += duration
        }
    }

    private let state = Mutex(State())
    private let birthday: Double

    /// - Parameter birthday: the date on which the device is made, in seconds since 2001.
    init(birthday: Double) { self.birthday = birthday }

    /// The date, in seconds since 2001; no two are equal, so that later changes have later dates.
    func date() -> Double {
        state.withLock { state in
            let elapsed = state.age / .seconds(1)
            state.latestDate = max(birthday + elapsed, state.latestDate + 0.001)
            return state.latestDate
        }
    }

    /// All virtual time since the device was made.
    var age: Duration { state.withLock { $0.age } }

    func instant() -> DeviceInstant {
        state.withLock { state in
            var bootID = [UInt8](repeating: 0, count: DeviceInstant.bootIDByteCount)
            withUnsafeBytes(of: state.bootCount.bigEndian) {
                bootID.replaceSubrange(8..., with: $0)
            }
            return DeviceInstant(bootID: bootID, uptime: state.uptime)
        }
    }

    func advance(by duration: Duration) {
        state.withLock { $0.advance(by: duration) }
    }

    var elementLatency: Duration {
        get { state.withLock { $0.elementLatency } }
        set { state.withLock { $0.elementLatency = newValue } }
    }

    /// Lets the time of one trip to the secure element pass.
    func passElementTrip() {
        state.withLock { $0.advance(by: $0.elementLatency) }
    }

    func reboot() {
        state.withLock { state in
            state.bootCount += 1
            state.uptime = .zero
        }
    }
}
