import Cryptography
import Foundation
import Glibc
import KeychainServices

// Laws  (1) A prompt ends with the program that caused it.
//       (2) If nobody can answer a prompt any more, the program receives an answer.

/// Prompts that remain unanswered while the program, the agent or the daemon is killed.
///
/// The daemon serves one account, because one for all accounts accepts only a protected agent.
final class AbandonedPrompts {
    private static let secondsLimit = 20.0

    private let daemon: TortureDaemon
    private let account: UInt32
    private let report: TortureReport
    private var random: SeededNumbers
    private var agent: WorkerProcess?

    init(
        _ daemon: TortureDaemon,
        _ account: UInt32,
        _ random: SeededNumbers,
        _ report: TortureReport
    ) {
        self.daemon = daemon
        self.account = account
        self.random = random
        self.report = report
    }

    /// - Returns: The first failure.
    func run(_ count: Int) -> String? {
        guard writeDialog() else { return "cannot write \(dialog)" }
        guard work("guard") == ["done 0"] else { return "an item that asks cannot be made" }
        startAgent()
        defer { agent?.kill() }
        for _ in 0..<count {
            if let complaint = oneKill() { return complaint }
        }
        return nil
    }

    // MARK: One prompt

    private func oneKill() -> String? {
        let program: WorkerProcess
        let before = shown.count
        switch shownPrompt(after: before) {
        case .shown(let process): program = process
        case .failed(let words): return words
        }
        report.add("prompts")
        let dialogs = shown.dropFirst(before)
        switch random.next(below: 3) {
        case 0:
            program.kill()
            report.add("abandoned-prompts")
            return ends(dialogs, of: "the program was killed")
        case 1:
            agent?.kill()
            report.add("killed-agents")
            let complaint = answer(of: program, "its agent was killed")
            // No other process is left that could remove the agent's dialog.
            for dialog in dialogs { Glibc.kill(dialog, SIGKILL) }
            startAgent()
            return complaint
        default:
            daemon.kill()
            report.add("killed-daemons")
            if let complaint = answer(of: program, "the daemon was killed")
                ?? ends(dialogs, of: "the daemon was killed") ?? daemon.start()
            {
                return complaint
            }
            return work("unlock") == ["done 0"] ? nil : "the keychain cannot be unlocked again"
        }
    }

    private enum Prompting {
        case shown(WorkerProcess)
        case failed(String)
    }

    /// Makes a program cause a prompt; a new agent may not be connected yet.
    private func shownPrompt(after count: Int) -> Prompting {
        let limit = ContinuousClock.now + .seconds(Self.secondsLimit * 2)
        var last = ""
        while ContinuousClock.now < limit {
            guard let program = start("find") else { return .failed("no process can be started") }
            while ContinuousClock.now < limit {
                if shown.count > count { return .shown(program) }
                if program.byteCount > 0 { break }
                usleep(5000)
            }
            program.kill()
            last = program.texts().joined(separator: " ")
            usleep(200_000)
        }
        return .failed("no prompt was shown: \(last) \(daemon.lastWords)")
    }

    /// Checks that the dialogs are removed.
    private func ends(_ dialogs: ArraySlice<pid_t>, of cause: String) -> String? {
        let limit = ContinuousClock.now + .seconds(Self.secondsLimit)
        while ContinuousClock.now < limit {
            if dialogs.allSatisfy({ Glibc.kill($0, 0) != 0 }) { return nil }
            usleep(10_000)
        }
        for dialog in dialogs { Glibc.kill(dialog, SIGKILL) }
        return "a prompt was still there \(Int(Self.secondsLimit)) s after \(cause)"
    }

    /// Checks that the program receives an answer.
    private func answer(of program: WorkerProcess, _ cause: String) -> String? {
        let limit = ContinuousClock.now + .seconds(Self.secondsLimit)
        while ContinuousClock.now < limit {
            if program.byteCount > 0 { return nil }
            usleep(10_000)
        }
        program.kill()
        return "a program still waited \(Int(Self.secondsLimit)) s after \(cause)"
    }

    // MARK: Processes

    private func start(_ verb: String) -> WorkerProcess? {
        WorkerProcess(["daemon", String(account), "prompt", verb])
    }

    private func work(_ verb: String) -> [Substring] { start(verb)?.texts() ?? [] }

    private func startAgent() {
        setenv("KEYCHAIN_PINENTRY", dialog, 1)
        defer { unsetenv("KEYCHAIN_PINENTRY") }
        agent = WorkerProcess([
            "daemon", String(account), "exec", TortureDaemon.program("keychain-agent"),
            "--socket", daemon.socket,
        ])
    }

    // MARK: The dialog

    private var dialog: String { daemon.directory + "/pinentry" }
    private var list: String { daemon.directory + "/state/shown" }

    /// Writes a dialog program that shows nothing and waits.
    private func writeDialog() -> Bool {
        let text = """
            #!/bin/sh
            echo OK
            while read -r line; do
                case "$line" in
                GETPIN* | CONFIRM*) echo $$ >>'\(list)'; exec sleep 1000 ;;
                *) echo OK ;;
                esac
            done

            """
        return FileManager.default.createFile(atPath: dialog, contents: Data(text.utf8))
            && chmod(dialog, 0o755) == 0
    }

    /// The dialogs so far.
    private var shown: [pid_t] {
        let text = (try? String(contentsOfFile: list, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { pid_t($0) }
    }
}
