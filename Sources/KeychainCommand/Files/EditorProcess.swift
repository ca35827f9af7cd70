import Glibc
import ProgramStart

/// The editor of a file, as a process of this terminal.
struct EditorProcess: ~Copyable {
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

    private var program: StartedProgram
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
        let words = ["-c", "exec \(command) \"$1\"", "sh", file]
        var plan = ProgramPlan("/bin/sh", words, environment: GivenEnvironment.settings)
        plan.name = "sh"
        for number in STDIN_FILENO...STDERR_FILENO { plan.descriptors[number] = number }
        let reset = HeldSignals.set(of: keys.forPrograms + [SIGPIPE])
        plan.signals = .given(mask: held.earlier, reset: reset)
        // Whoever ignores its children's ends is never told of them.
        signal(SIGCHLD, SIG_DFL)
        do throws(StartFailure) { program = try plan.start() } catch {
            throw .program(error.description, isMissing: true)
        }
    }

    /// Waits until it has ended, or a signal wants to end this process.
    ///
    /// An editor that still runs goes on afterwards: it asks what to do.
    consuming func wait() -> End {
        var awaited = HeldSignals.set(of: held.signals + [SIGCHLD])
        while true {
            if let end = end() { return end }
            var signal: Int32 = 0
            guard sigwait(&awaited, &signal) == 0, signal != SIGCHLD else { continue }
            program.send(signal)
            // One that is stopped gets it only when it goes on.
            program.send(SIGCONT)
            if let end = latestEnd() {
                return .interrupted(signal, hasSucceeded: end == .succeeded)
            }
            _ = program.detach()
            return .running
        }
    }

    /// How it ended; nil while it runs.
    private mutating func end() -> End? {
        program.wait(upTo: .zero).map { $0 == .exited(0) ? .succeeded : .failed }
    }

    /// How it ended after a signal; nil if it does not end.
    private mutating func latestEnd() -> End? {
        var awaited = HeldSignals.set(of: [SIGCHLD])
        var patience = Self.patience
        while true {
            if let end = end() { return end }
            if sigtimedwait(&awaited, nil, &patience) < 0, errno == EAGAIN { return end() }
        }
    }
}
