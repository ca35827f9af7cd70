import Glibc

// Signals are held back rather than handled: a handler would need global state. Other threads may
// still take them; those that start while signals are held hold them back as well.

/// Signals that would end the process, and wait until they are released.
///
/// So there is a moment to remove what must not stay. Signals that the process ignores go on being
/// ignored.
final class HeldSignals {
    /// What a person, a system that shuts down, and a terminal that closes send.
    static let ending = [SIGINT, SIGQUIT, SIGTERM, SIGHUP]

    /// Those that are held and would have an effect.
    let signals: [Int32]
    /// The signals that were held back before.
    private(set) var earlier = sigset_t()
    private var isHolding = true

    /// Holds signals back from here on.
    ///
    /// - Parameters:
    ///   - signals: Those that would end the process.
    ///   - others: Those that only tell something.
    init(_ signals: [Int32] = HeldSignals.ending, and others: [Int32] = []) {
        self.signals = signals.filter { !Self.isIgnored($0) }
        var held = Self.set(of: self.signals + others)
        pthread_sigmask(SIG_BLOCK, &held, &earlier)
    }

    deinit { release() }

    /// Lets the signals through; one that has come ends the process here.
    func release() {
        guard isHolding else { return }
        isHolding = false
        pthread_sigmask(SIG_SETMASK, &earlier, nil)
    }

    /// Whether one of the signals has come.
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

/// The keys that end a program, without effect on this one until they are restored.
///
/// Programs that it starts get them again.
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

    /// The signals that another program is to have as a shell gives them.
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
