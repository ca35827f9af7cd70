import Foundation
import Glibc
import KeychainSockets

/// A `keychaind` of the torture: started, killed and started again at the same place.
final class TortureDaemon {
    /// The directory of one account's keychain.
    let directory: String
    let socket: String
    let isSystem: Bool
    /// As which account it runs.
    let account: UInt32
    private(set) var process: pid_t = 0

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

    deinit { if process > 0 { kill() } }

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
        let options = [
            "keychain-torture", "worker", "daemon", String(account), "exec", program,
            isSystem ? "--system" : "--user", "--foreground", "--state", state,
            "--socket", socket, "--policy", policies,
        ]
        var words: [UnsafeMutablePointer<CChar>?] = options.map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        let log = directory + "/daemon.log"
        let flags = O_WRONLY | O_CREAT | O_APPEND
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log, flags, 0o600)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var child: pid_t = 0
        let code = posix_spawn(&child, "/proc/self/exe", &actions, nil, words, environ)
        guard code == 0 else {
            return "keychaind cannot be started: \(String(cString: strerror(code)))"
        }
        process = child
        let limit = ContinuousClock.now + .seconds(Self.secondsLimit)
        while ContinuousClock.now < limit {
            if (try? UnixStream(connectingTo: socket, milliseconds: 1000)) != nil { return nil }
            var status: Int32 = 0
            if waitpid(process, &status, WNOHANG) == process {
                process = 0
                return "keychaind ended at its start: \(lastWords)"
            }
            usleep(2000)
        }
        return "keychaind did not answer in \(Int(Self.secondsLimit)) s: \(lastWords)"
    }

    /// Ends it as a power cut would.
    func kill() {
        _ = Glibc.kill(process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        process = 0
    }

    /// Ends it as a person would.
    ///
    /// - Returns: What went wrong; nil for nothing.
    func stop() -> String? {
        _ = Glibc.kill(process, SIGTERM)
        let limit = ContinuousClock.now + .seconds(Self.secondsLimit)
        var status: Int32 = 0
        while ContinuousClock.now < limit {
            if waitpid(process, &status, WNOHANG) == process {
                process = 0
                return status == 0 ? nil : "keychaind ended with status \(status): \(lastWords)"
            }
            usleep(5000)
        }
        kill()
        return "keychaind did not stop in \(Int(Self.secondsLimit)) s"
    }

    /// Whether it lives.
    var isAlive: Bool {
        var status: Int32 = 0
        return process > 0 && waitpid(process, &status, WNOHANG) == 0
    }

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
