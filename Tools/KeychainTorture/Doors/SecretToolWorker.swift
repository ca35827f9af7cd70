import Cryptography
import Foundation
import Glibc
import KeychainServices
import ProgramStart
import Synchronization

/// A thread that stores, reads and clears its own items with `secret-tool`.
///
/// This program of libsecret does not know the keychain.
///
/// Its lines are those of `Worker`. `put` stores and `clear` deletes, whether or not the item
/// existed.
final class SecretToolWorker: Sendable {
    static let program = "/usr/bin/secret-tool"
    /// The longest time for a call: the machine may be busy, and a door asks a daemon.
    private static let secondsLimit = 60.0

    private struct State {
        var lines: [WorkerLine] = []
        var late: [String] = []
        var call: ToolCall?
        var isStopped = false
    }

    let prefix: String
    private let address: String
    private let count: Int
    private let state = Mutex(State())
    private let ended = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - prefix: The prefix of the names of its items.
    ///   - count: The number of its items.
    ///   - address: The address of the bus.
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

    /// Kills the program that makes the present call, if there is one.
    ///
    /// - Returns: Whether there was one.
    func killCall() -> Bool {
        state.withLock { state in state.call.map { $0.kill() } != nil }
    }

    /// Waits until its last call has ended.
    func stop() {
        state.withLock { $0.isStopped = true }
        ended.wait()
    }

    /// Returns the lines since the last time, and the calls that did not end.
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

    private func run(_ words: [String], input: String = "") -> ToolCall.Outcome {
        var plan = ProgramPlan(Self.program, words)
        plan.environment = ["DBUS_SESSION_BUS_ADDRESS=" + address, "G_MESSAGES_DEBUG="]
        let call: ToolCall
        do throws(StartFailure) { call = try ToolCall(plan, input: input) } catch {
            return ToolCall.Outcome(complaint: error.description)
        }
        state.withLock { $0.call = call }
        defer { state.withLock { $0.call = nil } }
        let outcome = call.outcome(within: .seconds(Self.secondsLimit))
        if outcome.isLate {
            state.withLock { $0.late.append(words.joined(separator: " ")) }
        }
        return outcome
    }
}
