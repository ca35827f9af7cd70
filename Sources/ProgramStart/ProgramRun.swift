import Glibc
import Secrets

@_implementationOnly import CProcess

/// The limits for a program's time and output.
package struct RunLimits: Sendable {
    package var time: Duration
    /// The bytes of each of standard output and standard error.
    package var byteCount: Int

    package init(time: Duration, byteCount: Int = 1 << 20) {
        self.time = time
        self.byteCount = byteCount
    }
}

/// The output of a program, and the way in which it ended.
package struct ProgramOutcome: Sendable {
    package let end: ProgramEnd
    package let output: [UInt8]
    package let errors: [UInt8]

    package var succeeded: Bool { end == .exited(0) }
}

/// The secret output of a program, and the way in which it ended.
package struct SecretOutcome: ~Copyable {
    package let end: ProgramEnd
    package let output: Secret
}

extension ProgramPlan {
    /// Runs the program to its end, or to a limit.
    ///
    /// A descriptor that the plan gives as standard input, output or error stays as it is.
    ///
    /// - Parameters:
    ///   - input: Standard input.
    ///   - limits: The limits; a program that exceeds them is killed.
    /// - Returns: The output up to the end or the limit.
    /// - Throws: `StartFailure` if the program cannot be started.
    package func run(
        input: [UInt8] = [],
        within limits: RunLimits
    ) throws(StartFailure) -> ProgramOutcome {
        let space = UnsafeMutableRawBufferPointer.allocate(
            byteCount: limits.byteCount * 2,
            alignment: 1
        )
        defer { space.deallocate() }
        var output = Collection(UnsafeMutableRawBufferPointer(rebasing: space[..<limits.byteCount]))
        var errors = Collection(UnsafeMutableRawBufferPointer(rebasing: space[limits.byteCount...]))
        let file = input.withUnsafeBytes { Self.file($0) }
        let end = try run(file, &output, &errors, limits.time)
        return ProgramOutcome(end: end, output: Array(output.bytes), errors: Array(errors.bytes))
    }

    /// Runs the program likewise, and collects standard output in memory that is wiped.
    ///
    /// Standard error is not collected.
    package func runForSecret(
        input: borrowing Secret,
        within limits: RunLimits
    ) throws(StartFailure) -> SecretOutcome {
        let file = input.withUnsafeBytes { Self.file($0) }
        var failure: StartFailure?
        var (end, count) = (ProgramEnd.unknown, 0)
        let space = Secret(byteCount: limits.byteCount) { target in
            var output = Collection(target)
            var errors = Collection(UnsafeMutableRawBufferPointer(start: nil, count: 0))
            do throws(StartFailure) {
                end = try run(file, &output, &errors, limits.time)
            } catch { failure = error }
            count = output.count
        }
        if let failure { throw failure }
        let output = space.withUnsafeBytes {
            Secret(copying: UnsafeRawBufferPointer(rebasing: $0.prefix(count)))
        }
        return SecretOutcome(end: end, output: output)
    }

    // The input is a descriptor that is closed here; nil for none, -1 if it could not be made.
    private func run(
        _ input: Int32?,
        _ output: inout Collection,
        _ errors: inout Collection,
        _ time: Duration
    ) throws(StartFailure) -> ProgramEnd {
        var plan = self
        let deadline = ContinuousClock.now + time
        var theirs: [Int32] = []
        defer { for number in theirs { close(number) } }
        if let input {
            guard input >= 0 else { throw StartFailure(path, ENOMEM) }
            theirs.append(input)
            if descriptors[STDIN_FILENO] == nil { plan.descriptors[STDIN_FILENO] = input }
        }
        if descriptors[STDOUT_FILENO] == nil {
            let end = try output.open(path)
            theirs.append(end)
            plan.descriptors[STDOUT_FILENO] = end
        }
        if descriptors[STDERR_FILENO] == nil, joinsErrors {
            plan.descriptors[STDERR_FILENO] = plan.descriptors[STDOUT_FILENO]
        } else if descriptors[STDERR_FILENO] == nil, errors.hasRoom {
            let end = try errors.open(path)
            theirs.append(end)
            plan.descriptors[STDERR_FILENO] = end
        }
        var program = try plan.start()
        let limit = Self.collect(from: program, &output, &errors, until: deadline)
        guard let limit else { return program.wait() ?? .unknown }
        program.stop()
        return limit
    }

    /// Reads until the program ends.
    ///
    /// - Returns: The limit that the program exceeded; nil if it ended.
    private static func collect(
        from program: borrowing StartedProgram,
        _ output: inout Collection,
        _ errors: inout Collection,
        until deadline: ContinuousClock.Instant
    ) -> ProgramEnd? {
        while true {
            // By then, all its output is in the pipes.
            let hasEnded = process_has_ended(program.processID) != 0
            guard output.take(), errors.take() else { return .tooLong }
            if hasEnded { return nil }
            let rest = deadline - .now
            guard rest > .zero else { return .late }
            let events = Int16(POLLIN)
            var requests = [output.reading, errors.reading, program.descriptor].map {
                pollfd(fd: $0, events: events, revents: 0)
            }
            let longest: Int32 = program.descriptor < 0 ? 10 : 60_000
            poll(&requests, 3, min(rest.pollMilliseconds, longest))
        }
    }

    /// Makes a file in memory with the input.
    ///
    /// A pipe could fill up if the program did not read it.
    ///
    /// - Returns: A descriptor; nil for no input, -1 if there is no memory.
    private static func file(_ bytes: UnsafeRawBufferPointer) -> Int32? {
        guard !bytes.isEmpty else { return nil }
        let file = process_memory_file("input", bytes.count)
        guard file >= 0 else { return -1 }
        guard pwrite(file, bytes.baseAddress, bytes.count, 0) == bytes.count else {
            close(file)
            return -1
        }
        return file
    }
}

/// One stream of a program, read into memory of a fixed size.
private struct Collection: ~Copyable {
    private let target: UnsafeMutableRawBufferPointer
    private(set) var count = 0
    /// Our end of the pipe; -1 before it is made, and after its end.
    private(set) var reading: Int32 = -1

    init(_ target: UnsafeMutableRawBufferPointer) { self.target = target }

    deinit { if reading >= 0 { close(reading) } }

    var bytes: Slice<UnsafeMutableRawBufferPointer> { target.prefix(count) }

    var hasRoom: Bool { !target.isEmpty }

    /// Makes the pipe.
    ///
    /// - Returns: The end for the program.
    mutating func open(_ path: String) throws(StartFailure) -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard process_pipe(&ends) == 0 else { throw StartFailure(path, errno) }
        guard fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 else {
            let code = errno
            for end in ends { close(end) }
            throw StartFailure(path, code)
        }
        reading = ends[0]
        return ends[1]
    }

    /// Reads the bytes that are there now.
    ///
    /// - Returns: Whether there is room for all of it.
    mutating func take() -> Bool {
        var extra: UInt8 = 0
        while reading >= 0 {
            let rest = UnsafeMutableRawBufferPointer(rebasing: target[count...])
            let read =
                rest.isEmpty
                ? Glibc.read(reading, &extra, 1) : Glibc.read(reading, rest.baseAddress, rest.count)
            if read < 0, errno == EINTR { continue }
            if read < 0, errno == EAGAIN { return true }
            guard read > 0 else {
                close(reading)
                reading = -1
                return true
            }
            guard !rest.isEmpty else { return false }
            count += read
        }
        return true
    }
}
