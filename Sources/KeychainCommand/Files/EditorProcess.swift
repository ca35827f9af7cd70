import Glibc
import ProgramStart

/// An editor with one file, as a process on this terminal.
struct EditorProcess: ~Copyable {
    /// The outcome of waiting for the editor.
    enum End: Equatable {
        case succeeded
        case failed
        /// A signal arrived that ends this process, and the editor ended too. The editor has not
        /// succeeded if the signal interrupted it.
        case interrupted(Int32, hasSucceeded: Bool)
        /// Such a signal arrived, and the editor still runs; it may have a question for the user.
        case running
    }

    /// The time limit for an editor to end after a signal.
    private static let patience = timespec(tv_sec: 5, tv_nsec: 0)

    private var program: StartedProgram
    private let held: HeldSignals

    /// Starts an editor with one file.
    ///
    /// - Parameters:
    ///   - command: The program and its options, in the shell's syntax.
    ///   - file: The file to edit.
    ///   - held: The held signals; `SIGCHLD` is one of them.
    ///   - keys: The ignored keys; for the editor they work as in a shell.
    /// - Throws: `program`.
    init(
        _ command: String,
        _ file: String,
        _ held: HeldSignals,
        _ keys: IgnoredKeys
    ) throws(CommandFailure) {
        self.held = held
        // The shell splits the editor's options, as in other programs.
        let words = ["-c", "exec \(command) \"$1\"", "sh", file]
        var plan = ProgramPlan("/bin/sh", words, environment: GivenEnvironment.settings)
        plan.name = "sh"
        for number in STDIN_FILENO...STDERR_FILENO { plan.descriptors[number] = number }
        let reset = HeldSignals.set(of: keys.forPrograms + [SIGPIPE])
        plan.signals = .given(mask: held.earlier, reset: reset)
        // The kernel reports no end of a child to a process that ignores `SIGCHLD`.
        signal(SIGCHLD, SIG_DFL)
        do throws(StartFailure) { program = try plan.start() } catch {
            throw .program(error.description, isMissing: true)
        }
    }

    /// Waits until the editor ends, or a signal is about to end this process.
    ///
    /// After a signal, an editor that still runs continues: it may have a question for the user.
    consuming func wait() -> End {
        var awaited = HeldSignals.set(of: held.signals + [SIGCHLD])
        while true {
            if let end = end() { return end }
            var signal: Int32 = 0
            guard sigwait(&awaited, &signal) == 0, signal != SIGCHLD else { continue }
            program.send(signal)
            // A stopped editor gets the signal only when it continues.
            program.send(SIGCONT)
            if let end = latestEnd() {
                return .interrupted(signal, hasSucceeded: end == .succeeded)
            }
            _ = program.detach()
            return .running
        }
    }

    /// Returns the result of the editor; nil while it runs.
    private mutating func end() -> End? {
        program.wait(upTo: .zero).map { $0 == .exited(0) ? .succeeded : .failed }
    }

    /// Returns the result after a signal; nil if the editor still runs at the end of the time
    /// limit.
    private mutating func latestEnd() -> End? {
        var awaited = HeldSignals.set(of: [SIGCHLD])
        var patience = Self.patience
        while true {
            if let end = end() { return end }
            if sigtimedwait(&awaited, nil, &patience) < 0, errno == EAGAIN { return end() }
        }
    }
}
