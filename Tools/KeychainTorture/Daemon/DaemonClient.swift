import Foundation
import Glibc

/// A process of the torture that uses the daemon as a given account.
final class DaemonClient {
    let process: WorkerProcess
    let account: UInt32
    /// The prefix of the names of its items.
    let prefix: String
    /// The possible values of its items, which are known after `follow`.
    private(set) var values = PossibleValues()

    /// Starts a worker.
    convenience init?(_ prefix: String, _ words: [String], _ account: UInt32) {
        self.init(verb: "work", words, account, prefix: prefix)
    }

    /// - Parameters:
    ///   - verb: `work`, `storm` or `hostile`.
    ///   - words: The arguments for the verb.
    ///   - account: The account of the process.
    ///   - prefix: The prefix of the names of its items.
    init?(verb: String, _ words: [String], _ account: UInt32, prefix: String = "") {
        guard let process = WorkerProcess(["daemon", String(account), verb] + words) else {
            return nil
        }
        self.process = process
        self.account = account
        self.prefix = prefix
    }

    /// Reads the lines of a worker that has ended.
    ///
    /// - Returns: Complaints.
    func follow() -> [String] {
        let texts = process.texts()
        let late = texts.filter { $0.hasPrefix("late") }.map { "a call did not end: \($0)" }
        return late + values.follow(texts.compactMap(WorkerLine.init)).map(named)
    }

    /// Compares the values that this reader received with those that workers can have left.
    ///
    /// - Returns: Complaints.
    func take(_ clients: [DaemonClient]) -> [String] {
        let texts = process.texts()
        var complaints = texts.filter { $0.hasPrefix("late") }.map { "a call did not end: \($0)" }
        let lines = texts.compactMap(WorkerLine.init)
        let byPrefix = Dictionary(grouping: lines) { line in
            line.account.split(separator: "-").first.map(String.init) ?? ""
        }
        for client in clients {
            let read = byPrefix[client.prefix] ?? []
            if read.isEmpty { complaints.append("the items of \(client.prefix) were not read") }
            for line in read where line.stage == .end && line.status == -25291 {
                complaints.append("\(line.account) cannot be read: \(line.status ?? 0)")
            }
            complaints += client.values.follow(read).map(client.named)
        }
        return complaints
    }

    private func named(_ complaint: String) -> String { "\(complaint) (account \(account))" }

    /// Does the work of a process that was started with these arguments.
    ///
    /// - Returns: The exit status; nil for invalid arguments.
    static func work(_ arguments: [String]) -> Int32? {
        guard arguments.count >= 2, let account = UInt32(arguments[0]) else { return nil }
        let rest = Array(arguments[2...])
        if geteuid() != account {
            // The daemon may not inspect a process that was started as another account.
            guard TortureAccount.become(account) else { return 5 }
            return execute("/proc/self/exe", ["keychain-torture", "worker", "daemon"] + arguments)
        }
        switch arguments[1] {
        case "work":
            guard let worker = DaemonWorker(arguments: rest) else { return nil }
            worker.run()
            return 0
        case "prompt":
            guard let work = rest.first.flatMap(PromptWork.init) else { return nil }
            work.run()
            return 0
        case "check":
            let complaint = rest.first.flatMap { DaemonKeychain($0).complaint() }
            OutputLine.write(complaint ?? "sound", to: STDOUT_FILENO)
            return 0
        case "exec":
            guard let program = rest.first else { return nil }
            return execute(program, rest)
        case "storm": return ConnectionStorm.run(rest)
        case "hostile": return HostileClient.run(rest)
        default: return nil
        }
    }

    /// Replaces this process with another program.
    ///
    /// - Returns: The exit status, only if that fails.
    private static func execute(_ program: String, _ words: [String]) -> Int32 {
        var words: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        words.append(nil)
        execv(program, words)
        return 6
    }
}
