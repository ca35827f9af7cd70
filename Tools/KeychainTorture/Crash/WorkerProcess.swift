import Foundation
import Glibc
import ProgramStart
import Synchronization

@_implementationOnly import CProcess

/// One worker process, and all lines that it wrote.
final class WorkerProcess: Sendable {
    private let program: Mutex<StartedProgram>
    private let text = Mutex<[UInt8]>([])
    private let drained = DispatchSemaphore(value: 0)

    /// Starts this program again as a worker; nil if the system refuses.
    init?(_ arguments: [String]) {
        var ends: [Int32] = [-1, -1]
        guard process_pipe(&ends) == 0 else { return nil }
        defer { close(ends[1]) }
        var plan = ProgramPlan("/proc/self/exe", ["worker"] + arguments)
        plan.name = "keychain-torture"
        plan.environment = GivenEnvironment.remainder
        plan.descriptors = [STDOUT_FILENO: ends[1], STDERR_FILENO: STDERR_FILENO]
        guard fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0, let started = try? plan.start() else {
            close(ends[0])
            return nil
        }
        program = Mutex(started)
        drain(ends[0])
    }

    /// Reads from the pipe until the process ends, so that the pipe never fills up.
    private func drain(_ descriptor: Int32) {
        let process = program.withLock { $0.descriptor }
        Thread.detachNewThread { [self] in
            var buffer = [UInt8](repeating: 0, count: 64 * 1024)
            var hasEnded = false
            while !hasEnded {
                let events = Int16(POLLIN)
                var requests = [
                    pollfd(fd: descriptor, events: events, revents: 0),
                    pollfd(fd: process, events: events, revents: 0),
                ]
                poll(&requests, 2, 1000)
                // This is checked first, because the pipe contains all output once the process has
                // ended.
                hasEnded = program.withLock { $0.wait(upTo: .zero) } != nil
                while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
                    text.withLock { $0 += buffer[..<count] }
                }
            }
            close(descriptor)
            drained.signal()
        }
    }

    /// The number of bytes so far.
    var byteCount: Int { text.withLock { $0.count } }

    /// Ends the process at once, as a power cut would.
    func kill() { program.withLock { $0.send(SIGKILL) } }

    /// Waits for the end of the process and of its output.
    ///
    /// - Returns: The lines about writes.
    func lines() -> [WorkerLine] { texts().compactMap(WorkerLine.init) }

    /// Waits for the end of the process and of its output.
    ///
    /// - Returns: The lines of the process.
    func texts() -> [Substring] {
        drained.wait()
        let text = text.withLock { String(decoding: $0, as: UTF8.self) }
        return text.split(separator: "\n")
    }
}

/// One line of a worker.
struct WorkerLine {
    enum Stage: String { case begin, end, done }

    let stage: Stage
    let operation: String
    let account: String
    let value: String
    /// nil until the call has returned.
    let status: Int32?

    init?(_ line: Substring) {
        let words = line.split(separator: " ").map(String.init)
        guard words.count >= 4, let stage = Stage(rawValue: words[0]) else { return nil }
        self.stage = stage
        operation = words[1]
        account = words[2]
        value = words[3]
        status = words.count > 4 ? Int32(words[4]) : nil
    }
}
