import Foundation
import Glibc

/// A process of the torture that uses the daemon as some account.
final class DaemonClient {
    let process: WorkerProcess
    let account: UInt32
    /// What the names of its items begin with.
    let prefix: String
    /// What its items may be; known once it is followed.
    private(set) var values = PossibleValues()

    /// Starts a worker.
    convenience init?(_ prefix: String, _ words: [String], _ account: UInt32) {
        self.init(verb: "work", words, account, prefix: prefix)
    }

    /// - Parameters:
    ///   - verb: `work`, `storm` or `hostile`.
    ///   - words: What belongs to it.
    ///   - account: Which account the process becomes.
    ///   - prefix: What the names of its items begin with.
    init?(verb: String, _ words: [String], _ account: UInt32, prefix: String = "") {
        guard let process = WorkerProcess(["daemon", String(account), verb] + words) else {
            return nil
        }
        self.process = process
        self.account = account
        self.prefix = prefix
    }

    /// Reads what a worker said, who has ended.
    ///
    /// - Returns: Complaints.
    func follow() -> [String] {
        let texts = process.texts()
        let late = texts.filter { $0.hasPrefix("late") }.map { "a call did not end: \($0)" }
        return late + values.follow(texts.compactMap(WorkerLine.init)).map(named)
    }

    /// Compares what a reader, this one, was told with what workers may have left.
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

    /// What the process does that was started so.
    ///
    /// - Returns: What it exits with; nil for arguments that make no sense.
    static func work(_ arguments: [String]) -> Int32? {
        guard arguments.count >= 2, let account = UInt32(arguments[0]) else { return nil }
        let rest = Array(arguments[2...])
        if geteuid() != account {
            // What was started as another account may not be looked at by the daemon.
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

    /// Becomes another program.
    ///
    /// - Returns: Only if it cannot.
    private static func execute(_ program: String, _ words: [String]) -> Int32 {
        var words: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        words.append(nil)
        execv(program, words)
        return 6
    }
}
