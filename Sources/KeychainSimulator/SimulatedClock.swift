import DataProtection
import Synchronization

/// The time of one simulated device, which advances only on command.
final class SimulatedClock: Sendable {
    private struct State {
        var bootCount: UInt64 = 1
        var uptime = Duration.zero
        /// The virtual time since the device was made, including reboots.
        var age = Duration.zero
        /// The latest date that was returned.
        var latestDate = -Double.infinity
        /// The duration of one use of the secure element.
        var elementLatency = Duration.zero

        mutating func advance(by duration: Duration) {
            uptime += duration
            age += duration
        }
    }

    private let state = Mutex(State())
    private let birthday: Double

    /// Makes a clock.
    ///
    /// - Parameter birthday: The date on which the device is made, in seconds since 2001.
    init(birthday: Double) { self.birthday = birthday }

    /// Returns the date in seconds since 2001.
    ///
    /// Each call returns a later date, so changes have an order.
    func date() -> Double {
        state.withLock { state in
            let elapsed = state.age / .seconds(1)
            state.latestDate = max(birthday + elapsed, state.latestDate + 0.001)
            return state.latestDate
        }
    }

    /// The virtual time since the device was made.
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

    /// Advances by the duration of one use of the secure element.
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
