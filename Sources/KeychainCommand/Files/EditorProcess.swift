import Glibc

/// The editor of a file, as a process of this terminal.
struct EditorProcess {
    /// How waiting for it ended.
    enum End: Equatable {
        case succeeded
        case failed
        /// A signal came that was to end this process. The editor got it as well, and has not
        /// succeeded if it ended in the middle.
        case interrupted(Int32, hasSucceeded: Bool)
        /// Such a signal came, and the editor does not end; it may ask what to do.
        case running
    }

    /// How long an editor may take to end that was told to.
    private static let patience = timespec(tv_sec: 5, tv_nsec: 0)

    private let child: pid_t
    private let held: HeldSignals

    /// Starts an editor with one file.
    ///
    /// - Parameters:
    ///   - command: The program and its options, as a shell has them.
    ///   - file: What it is to edit.
    ///   - held: Has `SIGCHLD` among its signals.
    ///   - keys: The editor gets them as a shell gives them.
    /// - Throws: `program`.
    init(
        _ command: String,
        _ file: String,
        _ held: HeldSignals,
        _ keys: IgnoredKeys
    ) throws(CommandFailure) {
        self.held = held
        // The shell splits the editor's options, as other programs have it do.
        let words = ["sh", "-c", "exec \(command) \"$1\"", "sh", file]
        var arguments = words.map { strdup($0) } + [nil]
        defer { for word in arguments { free(word) } }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var defaults = HeldSignals.set(of: keys.forPrograms + [SIGPIPE])
        var mask = held.earlier
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setsigmask(&attributes, &mask)
        let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
        posix_spawnattr_setflags(&attributes, Int16(flags))
        // Whoever ignores its children's ends is never told of them.
        signal(SIGCHLD, SIG_DFL)
        var child: pid_t = 0
        let code = posix_spawn(&child, "/bin/sh", nil, &attributes, &arguments, environ)
        guard code == 0 else { throw .program("/bin/sh cannot be run", isMissing: true) }
        self.child = child
    }

    /// Waits until it has ended, or a signal wants to end this process.
    func wait() -> End {
        var awaited = HeldSignals.set(of: held.signals + [SIGCHLD])
        while true {
            if let end { return end }
            var signal: Int32 = 0
            guard sigwait(&awaited, &signal) == 0, signal != SIGCHLD else { continue }
            kill(child, signal)
            // One that is stopped gets it only when it goes on.
            kill(child, SIGCONT)
            guard let end = latestEnd else { return .running }
            return .interrupted(signal, hasSucceeded: end == .succeeded)
        }
    }

    /// How it ended; nil while it runs.
    private var end: End? {
        var status: Int32 = 0
        let found = waitpid(child, &status, WNOHANG)
        guard found != 0 else { return nil }
        return found == child && status == 0 ? .succeeded : .failed
    }

    /// How it ended after a signal; nil if it does not end.
    private var latestEnd: End? {
        var awaited = HeldSignals.set(of: [SIGCHLD])
        var patience = Self.patience
        while true {
            if let end { return end }
            if sigtimedwait(&awaited, nil, &patience) < 0, errno == EAGAIN { return end }
        }
    }
}
