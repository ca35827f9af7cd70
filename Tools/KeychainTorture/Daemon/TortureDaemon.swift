import Foundation
import Glibc
import KeychainSockets
import ProgramStart

/// A `keychaind` of the torture, which can be started, killed and started again.
final class TortureDaemon {
    /// The directory of one account's keychain.
    let directory: String
    let socket: String
    let isSystem: Bool
    /// The account of the daemon's process.
    let account: UInt32
    private var daemon: StartedProgram?

    /// The longest time until it answers, and until it has stopped.
    private static let secondsLimit = 20.0

    /// - Parameters:
    ///   - directory: The directory for all files; other accounts can reach the socket in it.
    ///   - account: The account that it serves; nil for every account.
    init(_ directory: String, account: UInt32?) {
        isSystem = account == nil
        self.account = account ?? geteuid()
        self.directory = directory
        socket = directory + "/socket"
    }

    /// The process number; 0 if the daemon does not run.
    var process: pid_t { daemon?.processID ?? 0 }

    private var state: String { directory + "/state" }
    private var policies: String { directory + "/policies" }

    /// Returns the directory of an account's keychain.
    func home(of account: UInt32) -> String { isSystem ? "\(state)/\(account)" : state }

    /// Makes the daemon's directories, and the policy for this program.
    ///
    /// Without the policy, a program that its own account can replace has no group.
    ///
    /// - Parameter doors: Other programs of the same build that use the daemon.
    /// - Returns: Whether all files were made.
    func prepare(_ doors: [String] = []) -> Bool {
        guard mkdir(directory, 0o711) == 0, chmod(directory, 0o711) == 0, mkdir(state, 0o700) == 0,
            mkdir(policies, 0o755) == 0, isSystem || chown(directory, account, account) == 0,
            isSystem || chown(state, account, account) == 0
        else { return false }
        return (["keychain-torture"] + doors).allSatisfy(permit)
    }

    private func permit(_ name: String) -> Bool {
        let policy = """
            {"program": "\(Self.program(name))", "level": "nobody",
             "applicationIdentifier": "torture", "accessGroups": ["keychain"]}
            """
        let path = policies + "/\(name).json"
        return FileManager.default.createFile(atPath: path, contents: Data(policy.utf8))
            && chmod(path, 0o644) == 0
    }

    /// Starts the daemon, and waits until it answers.
    ///
    /// - Returns: The failure; nil if there was none.
    func start() -> String? {
        let program = Self.program("keychaind")
        let words = [
            "worker", "daemon", String(account), "exec", program,
            isSystem ? "--system" : "--user", "--foreground", "--state", state,
            "--socket", socket, "--policy", policies,
        ]
        let log = directory + "/daemon.log"
        let file = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { return "\(log): \(String(cString: strerror(errno)))" }
        defer { close(file) }
        var plan = ProgramPlan("/proc/self/exe", words)
        plan.name = "keychain-torture"
        plan.environment = GivenEnvironment.remainder
        plan.descriptors = [STDOUT_FILENO: STDOUT_FILENO, STDERR_FILENO: file]
        do throws(StartFailure) { daemon = try plan.start() } catch { return error.description }
        let limit = ContinuousClock.now + .seconds(Self.secondsLimit)
        while ContinuousClock.now < limit {
            if (try? UnixStream(connectingTo: socket, milliseconds: 1000)) != nil { return nil }
            if daemon?.wait(upTo: .milliseconds(2)) != nil {
                daemon = nil
                return "keychaind ended at its start: \(lastWords)"
            }
        }
        return "keychaind did not answer in \(Int(Self.secondsLimit)) s: \(lastWords)"
    }

    /// Ends the daemon at once, as a power cut would.
    func kill() { daemon = nil }

    /// Ends the daemon as a user would.
    ///
    /// - Returns: The failure; nil if there was none.
    func stop() -> String? {
        daemon?.send(SIGTERM)
        let end = daemon?.wait(upTo: .seconds(Self.secondsLimit))
        kill()
        switch end {
        case .exited(0): return nil
        case .some(let end): return "keychaind ended with \(end): \(lastWords)"
        case nil: return "keychaind did not stop in \(Int(Self.secondsLimit)) s"
        }
    }

    /// Whether the daemon runs.
    var isAlive: Bool { daemon != nil && daemon?.wait(upTo: .zero) == nil }

    /// The resources of the daemon; nil if it has ended.
    var vitals: ProcessVitals? { ProcessVitals(process) }

    /// The last lines of the daemon's log.
    var lastWords: String {
        let text = try? String(contentsOfFile: directory + "/daemon.log", encoding: .utf8)
        return (text ?? "").split(separator: "\n").suffix(5).joined(separator: " | ")
    }

    /// Returns the path of a program of the same build.
    static func program(_ name: String) -> String {
        let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(filePath: own ?? "/").deletingLastPathComponent().path + "/" + name
    }
}
