import Glibc
import LoginEvents
import SystemBus

/// Runs `keychainctl lock-keychain` when logind reports sleep, logout or the lock of a session.
enum LockWatch {
    /// Watches until the connection ends.
    ///
    /// - Throws: `BusError` if logind cannot be reached.
    static func run() throws(BusError) {
        var watch = try LoginWatch(LoginState(account: getuid()))
        _ = watch.run(
            started: { Diagnostics.write("watching for sleep, logout and locked sessions") },
            warn: Diagnostics.write,
            perform: { effect, _ in perform(effect) }
        )
        throw BusError(name: nil)
    }

    private static func perform(_ effect: LoginEffect) {
        switch effect {
        case .lock, .lockAll: _ = LockCommand.run(.session)
        case .lockBeforeSleep: _ = LockCommand.run(.sleep)
        case .loggedOut: _ = LockCommand.run(.logout)
        case .awake, .screen, .delaySleep, .endDelay: break
        }
    }
}
