import Glibc
import SystemBus

/// Locks the keychain when logind tells of sleep, logout or the lock of a session.
struct LockWatch: ~Copyable {
    private let service: LoginService
    private let userID = getuid()
    private var isLoggedIn: Bool
    /// Has the machine wait with its sleep until it is closed; nil where logind allows none.
    private var delay: Int32?

    init() throws(BusError) {
        let service = try LoginService()
        isLoggedIn = try service.isLoggedIn(userID)
        self.service = service
        delay = nil
        delaySleep()
    }

    /// Watches until the connection ends.
    ///
    /// - Throws: `BusError` then.
    mutating func run() throws(BusError) {
        while true {
            while let event = try service.next() { take(event) }
            var request = pollfd(fd: service.descriptor, events: Int16(POLLIN), revents: 0)
            while poll(&request, 1, -1) < 0 {
                guard errno == EINTR else { throw BusError(name: nil) }
            }
        }
    }

    private mutating func take(_ event: LoginEvent) {
        switch event {
        case .sleep(isAhead: true):
            _ = LockCommand.run(.sleep)
            if let delay { close(delay) }
            delay = nil
        case .sleep(isAhead: false): delaySleep()
        case .lock(let session):
            if service.isSession(session, of: userID) { _ = LockCommand.run(.session) }
        case .logins:
            guard let isLoggedIn = try? service.isLoggedIn(userID) else { return }
            if self.isLoggedIn, !isLoggedIn { _ = LockCommand.run(.logout) }
            self.isLoggedIn = isLoggedIn
        }
    }

    private mutating func delaySleep() {
        if delay == nil { delay = try? service.delaySleep() }
        guard delay == nil else { return }
        Diagnostics.write("logind allows no delay; the machine may sleep before the keychain locks")
    }
}
