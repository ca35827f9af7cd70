import Cryptography
import Foundation
import Glibc
import KeychainServices
import Synchronization

/// A thread that stores, reads and clears items of its own with `secret-tool`, a program of
/// libsecret that knows nothing of the keychain.
///
/// Its lines are those of `Worker`: `put` stores, whether or not there was an item, and `clear`
/// deletes, whether or not there was one.
final class SecretToolWorker: Sendable {
    static let program = "/usr/bin/secret-tool"
    /// How long a call may take: the machine may be busy, and a door asks a daemon.
    private static let secondsLimit = 60.0

    private struct State {
        var lines: [WorkerLine] = []
        var late: [String] = []
        var child: pid_t = 0
        var isStopped = false
    }

    let prefix: String
    private let address: String
    private let count: Int
    private let state = Mutex(State())
    private let ended = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - prefix: What the names of its items begin with.
    ///   - count: How many items it has.
    ///   - address: The bus.
    init(_ prefix: String, count: Int, address: String) {
        self.prefix = prefix
        self.count = count
        self.address = address
    }

    /// Works until it is stopped.
    func start(seed: UInt64) {
        Thread.detachNewThread { [self] in
            var random = SeededNumbers(seed: seed)
            var number = 0
            while !state.withLock({ $0.isStopped }) {
                number += 1
                let verb = ["put", "put", "clear", "read", "read"][random.next(below: 5)]
                let status = call(
                    verb,
                    "\(prefix)-\(random.next(below: count))",
                    "\(seed):\(number)"
                )
                if status == errSecNotAvailable { usleep(20_000) }
            }
            ended.signal()
        }
    }

    /// Reads each item once, in this thread.
    func readAll() {
        for number in 0..<count { _ = call("read", "\(prefix)-\(number)", "-") }
    }

    /// Kills the program that makes a call now, if there is one.
    ///
    /// - Returns: Whether there was one.
    func killCall() -> Bool {
        state.withLock { state in state.child > 0 && Glibc.kill(state.child, SIGKILL) == 0 }
    }

    /// Waits until its last call has ended.
    func stop() {
        state.withLock { $0.isStopped = true }
        ended.wait()
    }

    /// What it was told since the last time, and the calls that did not end.
    func take() -> (lines: [WorkerLine], late: [String]) {
        state.withLock { state in
            defer { (state.lines, state.late) = ([], []) }
            return (state.lines, state.late)
        }
    }
}

// Calls.
extension SecretToolWorker {
    private func call(_ verb: String, _ item: String, _ value: String) -> OSStatus {
        let attributes = ["torture", prefix, "item", item]
        say("begin \(verb) \(item) \(value)")
        let outcome =
            switch verb {
            case "put": run(["store", "--label", item] + attributes, input: value)
            case "clear": run(["clear"] + attributes)
            default: run(["lookup"] + attributes)
            }
        let status: OSStatus =
            switch (outcome.code, verb) {
            case (0, _): errSecSuccess
            case (1, "read") where outcome.complaint.isEmpty: errSecItemNotFound
            default: errSecNotAvailable
            }
        let found = verb == "read" ? (status == errSecSuccess ? outcome.text : "-") : value
        say("end \(verb) \(item) \(found) \(status)")
        return status
    }

    private func say(_ text: String) {
        guard let line = WorkerLine(text[...]) else { return }
        state.withLock { $0.lines.append(line) }
    }

    /// What a call ended with: -1 for a signal.
    private struct Outcome {
        var code: Int32 = -1
        var text = ""
        var complaint = ""
    }

    private func run(_ words: [String], input: String = "") -> Outcome {
        let process = Process()
        let (given, said, complained) = (Pipe(), Pipe(), Pipe())
        process.executableURL = URL(filePath: Self.program)
        process.arguments = words
        process.environment = ["DBUS_SESSION_BUS_ADDRESS": address, "G_MESSAGES_DEBUG": ""]
        (process.standardInput, process.standardOutput) = (given, said)
        process.standardError = complained
        do { try process.run() } catch { return Outcome(complaint: "\(error)") }
        state.withLock { $0.child = process.processIdentifier }
        try? given.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try? given.fileHandleForWriting.close()
        let timer = DispatchSource.makeTimerSource()
        timer.schedule(deadline: .now() + Self.secondsLimit)
        timer.setEventHandler { [self] in
            state.withLock { $0.late.append(words.joined(separator: " ")) }
            process.interrupt()
            _ = killCall()
        }
        timer.resume()
        let text = (try? said.fileHandleForReading.readToEnd()) ?? Data()
        let complaint = (try? complained.fileHandleForReading.readToEnd()) ?? Data()
        state.withLock { $0.child = 0 }
        process.waitUntilExit()
        timer.cancel()
        return Outcome(
            code: process.terminationReason == .exit ? process.terminationStatus : -1,
            text: String(decoding: text, as: UTF8.self),
            complaint: String(decoding: complaint, as: UTF8.self)
        )
    }
}
