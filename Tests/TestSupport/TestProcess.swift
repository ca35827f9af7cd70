import Glibc
import ProgramStart
import Synchronization

@_implementationOnly import CProcess

/// A program of a test that runs beside it.
///
/// What it writes waits in a pipe of a megabyte until the test hears it, or waits for the end.
package final class TestProcess: Sendable {
    package let processID: pid_t
    private let program: TestProgram
    private let started: Mutex<StartedProgram>
    private let streams: Mutex<Streams>

    init(_ program: TestProgram, hears: Set<Int32>, hasInput: Bool) throws {
        var plan = program.plan
        let output = hears.isEmpty ? nil : try PipeEnds(isLarge: true)
        for number in hears { plan.descriptors[number] = output?.theirs(reads: false) }
        let input = hasInput ? try PipeEnds(isLarge: false) : nil
        if let input { plan.descriptors[STDIN_FILENO] = input.theirs(reads: true) }
        defer {
            if let output { close(output.theirs(reads: false)) }
            if let input { close(input.theirs(reads: true)) }
        }
        streams = Mutex(
            Streams(
                reading: output?.ours(reads: true) ?? -1,
                writing: input?.ours(reads: false) ?? -1
            )
        )
        let started = try plan.start()
        processID = started.processID
        // A test that is killed leaves no program behind.
        RunKeeper.keep(processID)
        self.program = program
        self.started = Mutex(started)
    }

    deinit { RunKeeper.release(processID) }

    /// Hears what the program writes, up to some words.
    ///
    /// - Returns: What it wrote since the last words, and these words.
    /// - Throws: `ProgramFailure` with all of it if the program ends or is late.
    @discardableResult
    package func hear(until words: String) throws -> String {
        let words = Array(words.utf8)
        let deadline = ContinuousClock.now + program.limit
        while true {
            if let heard = streams.withLock({ $0.take(through: words) }) {
                return String(decoding: heard, as: UTF8.self)
            }
            guard try listen(until: deadline) else {
                let all = streams.withLock { $0.all }
                let expected = String(decoding: words, as: UTF8.self)
                throw program.failure("ended before \(expected.debugDescription)", all)
            }
        }
    }

    /// Hears the next line, without its end; nil after the last one.
    package func line() throws -> String? {
        let deadline = ContinuousClock.now + program.limit
        while true {
            let line = streams.withLock { $0.take(through: [UInt8(ascii: "\n")]) }
            if let line { return String(decoding: line.dropLast(), as: UTF8.self) }
            guard try listen(until: deadline) else { return nil }
        }
    }

    /// Hears one byte, or a number of them.
    package func hear(byteCount: Int = 1) throws -> [UInt8] {
        let deadline = ContinuousClock.now + program.limit
        while true {
            if let heard = streams.withLock({ $0.take(byteCount) }) { return heard }
            guard try listen(until: deadline) else {
                throw program.failure("ended too early", streams.withLock { $0.all })
            }
        }
    }

    /// Everything that was heard.
    package var heard: String {
        streams.withLock { streams in
            streams.fill()
            return String(decoding: streams.all, as: UTF8.self)
        }
    }

    /// Writes to the program's input.
    package func write(_ text: String) throws {
        let descriptor = streams.withLock { $0.writing }
        guard QuietWrite.all(Array(text.utf8), to: descriptor) else {
            throw program.failure("takes no input", streams.withLock { $0.all })
        }
    }

    package func closeInput() { streams.withLock { $0.closeInput() } }

    package func send(_ signal: Int32) { started.withLock { $0.send(signal) } }

    /// Whether the program has not ended yet.
    package var isRunning: Bool { started.withLock { $0.wait(upTo: .zero) } == nil }

    /// Waits until the program ends.
    ///
    /// - Returns: The exit status, or 128 and a signal, and everything it wrote.
    /// - Throws: `ProgramFailure` with its output if it does not end; it is killed then.
    @discardableResult
    package func wait() throws -> ProgramResult {
        let deadline = ContinuousClock.now + program.limit
        while isRunning, ContinuousClock.now < deadline { try listen(until: deadline, toEnd: true) }
        let all = streams.withLock { streams in
            streams.fill()
            return streams.all
        }
        let end = started.withLock { $0.wait(upTo: .zero) }
        if end == nil { started.withLock { _ = $0.stop() } }
        return ProgramResult(status: try program.status(of: end, all), bytes: all, errorBytes: [])
    }

    /// Sends a signal and waits until the program ends.
    @discardableResult
    package func end(_ signal: Int32 = SIGTERM) throws -> ProgramResult {
        send(signal)
        return try wait()
    }

    /// Ends the program as its plan has it.
    @discardableResult
    package func stop() -> ProgramEnd { started.withLock { $0.stop() } }

    /// Waits until there is something to hear, or the program ended.
    ///
    /// - Returns: Whether more may come.
    @discardableResult
    private func listen(
        until deadline: ContinuousClock.Instant,
        toEnd: Bool = false
    ) throws -> Bool {
        // Looked at first: what it wrote before its end is in the pipe then.
        let isRunning = isRunning
        if streams.withLock({ $0.fill() }) { return true }
        guard isRunning else { return false }
        let rest = deadline - .now
        guard rest > .zero else {
            if toEnd { return false }
            let all = streams.withLock { $0.all }
            throw program.failure("did not write it within \(program.limit)", all)
        }
        let numbers = [streams.withLock { $0.reading }, started.withLock { $0.descriptor }]
        var requests = numbers.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        poll(&requests, 2, Int32(min(rest, .seconds(1)) / .milliseconds(1)) + 1)
        return true
    }
}

/// Two ends of a pipe; the test's ends never wait.
struct PipeEnds {
    private let ends: [Int32]

    init(isLarge: Bool) throws {
        var ends: [Int32] = [-1, -1]
        guard process_pipe(&ends) == 0 else {
            throw ProgramFailure(description: "pipe2: \(String(cString: strerror(errno)))")
        }
        self.ends = ends
        guard isLarge else { return }
        // An account with many pipes gets no larger one, which is all the same.
        _ = fcntl(ends[1], Self.setSize, 1 << 20)
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    }

    func ours(reads: Bool) -> Int32 { ends[reads ? 0 : 1] }

    func theirs(reads: Bool) -> Int32 { ends[reads ? 0 : 1] }

    /// `F_SETPIPE_SZ`; fcntl(2).
    private static let setSize: Int32 = 1031
}

/// Our ends of a program's streams.
private struct Streams: ~Copyable {
    private(set) var reading: Int32
    private(set) var writing: Int32
    private(set) var all: [UInt8] = []
    private var taken = 0

    init(reading: Int32, writing: Int32) {
        self.reading = reading
        self.writing = writing
    }

    deinit {
        if reading >= 0 { close(reading) }
        if writing >= 0 { close(writing) }
    }

    /// Reads what is there.
    ///
    /// - Returns: Whether there was anything.
    @discardableResult
    mutating func fill() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let before = all.count
        while reading >= 0 {
            let count = read(reading, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { break }
            guard count > 0 else {
                close(reading)
                reading = -1
                break
            }
            all += buffer.prefix(count)
        }
        return all.count > before
    }

    mutating func take(through words: [UInt8]) -> [UInt8]? {
        guard let range = all[taken...].firstRange(of: words) else { return nil }
        defer { taken = range.upperBound }
        return Array(all[taken..<range.upperBound])
    }

    mutating func take(_ byteCount: Int) -> [UInt8]? {
        guard all.count - taken >= byteCount else { return nil }
        defer { taken += byteCount }
        return Array(all[taken..<(taken + byteCount)])
    }

    mutating func closeInput() {
        if writing >= 0 { close(writing) }
        writing = -1
    }
}

/// Writing that does not end this process if nobody reads.
enum QuietWrite {
    static func all(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var (signals, before) = (sigset_t(), sigset_t())
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        guard pthread_sigmask(SIG_BLOCK, &signals, &before) == 0 else { return false }
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                var now = timespec()
                if errno == EPIPE { sigtimedwait(&signals, nil, &now) }
                return false
            }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
