import Foundation
import Glibc
import ProgramStart

@_implementationOnly import CProcess

/// A process that this one uses or only keeps: another copy of this program, or a daemon.
final class Companion {
    private let program: StartedProgram
    private let input: Int32
    private let output: Int32
    private var received: [UInt8] = []

    /// Starts this program as its own child.
    convenience init(_ words: [String]) throws {
        try self.init("/proc/self/exe", [ChildWork.argument] + words, endedBy: SIGKILL)
    }

    /// Starts a program with pipes from and to this process.
    ///
    /// - Parameters:
    ///   - path: The program.
    ///   - arguments: The arguments after its name.
    ///   - signal: The signal that ends it: `SIGKILL`, or `SIGTERM` if the program handles that.
    /// - Throws: The reason why it cannot be started.
    init(_ path: String, _ arguments: [String], endedBy signal: Int32) throws {
        let (toChild, fromChild) = (try PipeEnds(), try PipeEnds())
        defer {
            close(toChild.reading)
            close(fromChild.writing)
        }
        var plan = ProgramPlan(path, arguments, environment: GivenEnvironment.remainder)
        if path.hasSuffix("/exe") { plan.name = "keychain-benchmark" }
        plan.descriptors = [
            STDIN_FILENO: toChild.reading, STDOUT_FILENO: fromChild.writing,
            STDERR_FILENO: STDERR_FILENO,
        ]
        plan.farewell = signal == SIGKILL ? .zero : .seconds(60)
        do throws(StartFailure) { program = try plan.start() } catch {
            close(toChild.writing)
            close(fromChild.reading)
            throw BenchmarkError(error.description)
        }
        input = toChild.writing
        output = fromChild.reading
    }

    deinit {
        close(input)
        close(output)
    }

    var processID: pid_t { program.processID }

    func tell(_ line: String) throws {
        let bytes = Array((line + "\n").utf8)
        guard write(input, bytes, bytes.count) == bytes.count else {
            throw BenchmarkError("a child process is gone")
        }
    }

    /// Returns the next line from the process.
    func line() throws -> String {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                defer { received.removeFirst(end + 1) }
                return String(decoding: received[..<end], as: UTF8.self)
            }
            let count = read(output, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw BenchmarkError("a child process ended") }
            received += buffer[..<count]
        }
    }

    /// Returns the processor time of the process.
    ///
    /// - Source: clock_getcpuclockid(3p).
    func processorNanoseconds() throws -> Double {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(processID, &clock) == 0, clock_gettime(clock, &time) == 0 else {
            throw BenchmarkError("the processor time of a process is unknown")
        }
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }

    /// Returns a line of memory in kilobytes; proc_pid_status(5).
    func kilobytes(_ name: String) throws -> Double {
        let path = "/proc/\(processID)/status"
        let status = try String(contentsOfFile: path, encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        let words = line?.split(whereSeparator: \.isWhitespace) ?? []
        guard words.count > 1, let kilobytes = Double(words[1]) else {
            throw BenchmarkError("\(path) does not tell \(name)")
        }
        return kilobytes
    }
}

/// A pipe that no other program inherits.
private struct PipeEnds {
    let reading: Int32
    let writing: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard process_pipe(&ends) == 0 else { throw BenchmarkError("no pipe") }
        (reading, writing) = (ends[0], ends[1])
    }
}

/// Several processes that do the same work at the same time.
struct ClientGroup {
    private let clients: [Companion]

    init(_ work: ClientWork, _ count: Int, items: Int, at path: String) throws {
        clients = try (0..<count).map { number in
            try Companion([
                ClientWork.argument, work.rawValue, String(number), String(items), path,
            ])
        }
    }

    /// Returns the measurements of the first clients in a window.
    ///
    /// - Parameters:
    ///   - count: The number of processes that take part.
    ///   - threads: The number of threads of each process.
    ///   - server: The server of the clients, whose processor time counts, too.
    /// - Returns: The calls of all clients, and their cost.
    /// - Throws: The reason why a process does not take part.
    func run(_ count: Int, threads: Int = 1, using server: Companion? = nil) throws -> ClientTimes {
        let processes = clients.prefix(count) + (server.map { [$0] } ?? [])
        let window = MeasuredWindow(milliseconds: Self.milliseconds, threadCount: threads)
        let before = try processes.reduce(0) { try $0 + $1.processorNanoseconds() }
        for client in clients.prefix(count) { try client.tell(window.line) }
        var times = ClientTimes(clientCount: count * threads, window: window.nanoseconds)
        for client in clients.prefix(count) {
            let numbers = try client.line().split(separator: " ").compactMap { Double($0) }
            guard let callCount = numbers.first, callCount > 0 else {
                throw BenchmarkError("a client made no calls")
            }
            times.callCount += callCount
            times.calls += numbers.dropFirst()
        }
        let after = try processes.reduce(0) { try $0 + $1.processorNanoseconds() }
        times.processor = after - before
        return times
    }

    private static let milliseconds = 250.0
}

/// The times that clients measured in the same window, in nanoseconds.
struct ClientTimes {
    /// The number of clients at once, and the length of the window.
    var clientCount = 1
    var window = 0.0
    /// The number of calls of all clients.
    var callCount = 0.0
    /// The times of some of the calls.
    var calls: [Double] = []
    /// The processor time of clients and server.
    var processor = 0.0

    /// The mean time of a client for a call.
    var mean: Double { window * Double(clientCount) / max(callCount, 1) }

    /// The mean processor time for a call.
    var processorMean: Double { processor / max(callCount, 1) }
}
