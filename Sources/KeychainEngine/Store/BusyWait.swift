import Glibc

@_implementationOnly import CSQLite

/// The busy handler of a connection: waits while another connection holds a lock that it needs.
///
/// SQLite's own busy handler soon looks only every tenth of a second. A process that writes without
/// a break leaves the lock free for less than a millisecond at a time, so such a waiter misses
/// every gap and gives up. This one looks every half millisecond.
///
/// - Source: sqlite.org, "Register A Callback To Handle SQLITE_BUSY Errors".
final class BusyWait {
    /// The microseconds between two looks at the lock.
    static let pause: UInt32 = 500

    /// The total time for which a call waits.
    var limit: Duration
    private let interruption: Interruption?
    private let now: () -> ContinuousClock.Instant
    private var end: ContinuousClock.Instant?

    /// Creates a handler that gives up after the time limit, or once a lock of the keychain is
    /// requested.
    init(
        milliseconds: Int32,
        _ interruption: Interruption? = nil,
        now: @escaping () -> ContinuousClock.Instant = { .now }
    ) {
        self.interruption = interruption
        limit = .milliseconds(milliseconds)
        self.now = now
    }

    /// Returns the time to sleep before the next look.
    ///
    /// - Parameter looks: The number of earlier looks that found the lock taken.
    /// - Returns: Microseconds; nil if the time is up.
    func pause(after looks: Int32) -> UInt32? {
        let now = now()
        if looks == 0 { end = now.advanced(by: limit) }
        guard let end, now < end, interruption?.isWanted != true else { return nil }
        return Self.pause
    }

    /// Installs the handler on a connection.
    ///
    /// The connection must not outlive this object.
    func install(on handle: OpaquePointer) -> Int32 {
        sqlite3_busy_handler(
            handle,
            { context, looks in
                guard let context else { return 0 }
                let wait = Unmanaged<BusyWait>.fromOpaque(context).takeUnretainedValue()
                guard let pause = wait.pause(after: looks) else { return 0 }
                usleep(pause)
                return 1
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }
}
