import Foundation
import Glibc
import KeychainSockets
import ProgramStart

/// A `keychaind` of the torture: started, killed and started again at the same place.
final class TortureDaemon {
    /// The directory of one account's keychain.
    let directory: String
    let socket: String
    let isSystem: Bool
    /// As which account it runs.
    let account: UInt32
    private var daemon: StartedProgram?

    /// How long it may take until it answers, and until it has stopped.
    private static let secondsLimit = 20.0

    /// - Parameters:
    ///   - directory: Where everything of it goes; other accounts can reach the socket in it.
    ///   - account: The account that it serves; nil for every account.
    init(_ directory: String, account: UInt32?) {
        isSystem = account == nil
        self.account = account ?? geteuid()
        self.directory = directory
        socket = directory + "/socket"
    }

    /// The process number; 0 if it does not run.
    var process: pid_t { daemon?.processID ?? 0 }

    private var state: String { directory + "/state" }
    private var policies: String { directory + "/policies" }

    /// The directory of an account's keychain.
    func home(of account: UInt32) -> String { isSystem ? "\(state)/\(account)" : state }

    /// Makes its directories, and the policy without which programs that their account can replace,
    /// as this one, get no group.
    ///
    /// - Parameter doors: Programs beside this one that use the daemon, too.
    /// - Returns: Whether all could be made.
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

    /// Starts it, and waits until it answers.
    ///
    /// - Returns: What went wrong; nil for nothing.
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

    /// Ends it as a power cut would.
    func kill() { daemon = nil }

    /// Ends it as a person would.
    ///
    /// - Returns: What went wrong; nil for nothing.
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

    /// Whether it lives.
    var isAlive: Bool { daemon != nil && daemon?.wait(upTo: .zero) == nil }

    /// What it holds; nil if it is gone.
    var vitals: ProcessVitals? { ProcessVitals(process) }

    /// The last lines that it wrote.
    var lastWords: String {
        let text = try? String(contentsOfFile: directory + "/daemon.log", encoding: .utf8)
        return (text ?? "").split(separator: "\n").suffix(5).joined(separator: " | ")
    }

    /// A program that was built beside this one.
    static func program(_ name: String) -> String {
        let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(filePath: own ?? "/").deletingLastPathComponent().path + "/" + name
    }
}
