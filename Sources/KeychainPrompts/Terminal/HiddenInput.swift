import Glibc

// Invariants   (1) While a value lives, the terminal shows no typed characters.
//              (2) A signal that would end or stop the process waits until the value has ended,
//                  so the terminal is never left silent.
// Signals are blocked rather than handled: a handler would need global state. Other threads may
// still receive them; a program with several threads disables the keys that send them.

/// A terminal whose echo is off for as long as the value lives.
package struct HiddenInput: ~Copyable {
    /// The effect of keys that would end a program, such as Ctrl-C.
    package enum InterruptKeys: Sendable {
        /// They send their signals, which wait.
        case send
        /// They end the line, and are its last byte: no thread of the program gets a signal.
        case endLine
    }

    /// The outcome of waiting for a line.
    package enum Wait: Sendable, Equatable {
        /// There is a line, or the terminal has disappeared.
        case ready
        /// A signal is pending.
        case signal
        /// The line is no longer needed.
        case unwanted
    }

    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]

    /// The longest time that a signal may have to wait, in milliseconds.
    private static let patience: Int32 = 50

    private let descriptor: Int32
    private var shown = termios()
    private var mask = sigset_t()

    /// Silences a terminal; nil if the descriptor is not one.
    package init?(_ descriptor: Int32 = STDIN_FILENO, interruptKeys: InterruptKeys = .send) {
        self.descriptor = descriptor
        guard tcgetattr(descriptor, &shown) == 0 else { return nil }
        var held = Self.signalSet()
        pthread_sigmask(SIG_BLOCK, &held, &mask)
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        hidden.c_lflag |= tcflag_t(ICANON | ECHONL)
        if interruptKeys == .endLine { Self.endLines(&hidden) }
        guard tcsetattr(descriptor, TCSAFLUSH, &hidden) == 0 else {
            pthread_sigmask(SIG_SETMASK, &mask, nil)
            return nil
        }
    }

    deinit {
        var shown = shown
        var mask = mask
        tcsetattr(descriptor, TCSAFLUSH, &shown)
        pthread_sigmask(SIG_SETMASK, &mask, nil)
    }

    /// Waits for a whole line, checking regularly whether it is still needed.
    package borrowing func waitForLine(while isWanted: () -> Bool = { true }) -> Wait {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let count = poll(&request, 1, Self.patience)
            if Self.hasPendingSignal { return .signal }
            if count > 0 { return .ready }
            if !isWanted() { return .unwanted }
        }
    }

    private static func endLines(_ settings: inout termios) {
        settings.c_lflag &= ~tcflag_t(ISIG)
        settings.c_lflag |= tcflag_t(IEXTEN)
        let interrupt = key(VINTR, of: settings)
        let quit = key(VQUIT, of: settings)
        withUnsafeMutableBytes(of: &settings.c_cc) { keys in
            keys[Int(VEOL)] = interrupt
            keys[Int(VEOL2)] = quit
        }
    }

    private static func key(_ index: Int32, of settings: termios) -> UInt8 {
        withUnsafeBytes(of: settings.c_cc) { $0[Int(index)] }
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
