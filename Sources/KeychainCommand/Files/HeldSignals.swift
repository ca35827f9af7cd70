import Glibc

// Signals are blocked rather than handled, because a handler would need global state. Other threads
// may still receive them; threads that start while signals are held block them, too.

/// Signals that would end the process, blocked until they are released.
///
/// The process can then remove files before it ends. Signals that it ignores stay ignored.
final class HeldSignals {
    /// The signals that a user, a shutdown, or a closing terminal sends.
    static let ending = [SIGINT, SIGQUIT, SIGTERM, SIGHUP]

    /// The held signals, without those that the process ignores.
    let signals: [Int32]
    /// The signals that were blocked before.
    private(set) var earlier = sigset_t()
    private var isHolding = true

    /// Holds signals from now on.
    ///
    /// - Parameters:
    ///   - signals: Signals that would end the process.
    ///   - others: Signals that only inform.
    init(_ signals: [Int32] = HeldSignals.ending, and others: [Int32] = []) {
        self.signals = signals.filter { !Self.isIgnored($0) }
        var held = Self.set(of: self.signals + others)
        pthread_sigmask(SIG_BLOCK, &held, &earlier)
    }

    deinit { release() }

    /// Releases the signals; a pending one ends the process here.
    func release() {
        guard isHolding else { return }
        isHolding = false
        pthread_sigmask(SIG_SETMASK, &earlier, nil)
    }

    /// Whether one of the signals is pending.
    var arePending: Bool {
        var pending = sigset_t()
        sigpending(&pending)
        return signals.contains { sigismember(&pending, $0) == 1 }
    }

    static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(signal, nil, &action) == 0 else { return false }
        let ignoring = unsafeBitCast(SIG_IGN, to: Int.self)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == ignoring
    }

    static func set(of signals: [Int32]) -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        return set
    }
}

/// The keys that end a program, ignored by this process until they are restored.
///
/// Programs that it starts receive them.
final class IgnoredKeys {
    private static let signals = [SIGINT, SIGQUIT]

    private var before: [(Int32, sigaction)] = []

    init() {
        for signal in Self.signals {
            var ignoring = sigaction()
            ignoring.__sigaction_handler.sa_handler = SIG_IGN
            var action = sigaction()
            guard sigaction(signal, &ignoring, &action) == 0 else { continue }
            before.append((signal, action))
        }
    }

    deinit { restore() }

    /// The signals that a started program gets with their default effect, as from a shell.
    var forPrograms: [Int32] {
        let ignoring = unsafeBitCast(SIG_IGN, to: Int.self)
        return before.compactMap { signal, action in
            let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            return handler == ignoring ? nil : signal
        }
    }

    func restore() {
        for (signal, action) in before {
            var action = action
            sigaction(signal, &action, nil)
        }
        before = []
    }
}
