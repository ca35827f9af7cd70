import Glibc

// Invariants   (1) While a value lives, the terminal shows nothing of what is typed.
//              (2) A signal that would end or stop the process waits until the value has ended,
//                  so the terminal is never left silent.
// Signals are held back rather than handled: a handler would need global state.

/// A terminal whose echo is off for as long as the value lives.
struct HiddenInput: ~Copyable {
    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]

    /// How long a signal may have to wait, in milliseconds.
    private static let patience: Int32 = 50

    private var shown = termios()
    private var mask = sigset_t()

    /// Silences the terminal at standard input; nil where there is none.
    init?() {
        guard tcgetattr(STDIN_FILENO, &shown) == 0 else { return nil }
        var held = Self.signalSet()
        pthread_sigmask(SIG_BLOCK, &held, &mask)
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        hidden.c_lflag |= tcflag_t(ECHONL)
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden) == 0 else { return nil }
    }

    deinit {
        var shown = shown
        var mask = mask
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
        pthread_sigmask(SIG_SETMASK, &mask, nil)
    }

    /// Waits for a whole line.
    ///
    /// - Returns: Whether one is there; false when a signal wants to be delivered instead.
    borrowing func waitForLine() -> Bool {
        var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        while true {
            let count = poll(&request, 1, Self.patience)
            if Self.hasPendingSignal { return false }
            if count > 0 { return true }
        }
    }

    private static func signalSet() -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        return set
    }

    private static var hasPendingSignal: Bool {
        var pending = sigset_t()
        sigpending(&pending)
        return signals.contains { sigismember(&pending, $0) == 1 }
    }
}
