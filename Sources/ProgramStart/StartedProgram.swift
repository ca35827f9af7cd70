import Glibc

@_implementationOnly import CProcess

// Invariants  (1) The process number belongs to the child until `end` is known, because no other
//                 code waits for it. If other code does, a descriptor still means the child.
//             (2) `end` never changes once it is known.

/// The way in which a program ended.
package enum ProgramEnd: Sendable, Equatable {
    /// It exited by itself, with this status.
    case exited(Int32)
    /// A signal ended it.
    case killed(Int32)
    /// This process ended it, because its time was over.
    case late
    /// This process ended it, because it wrote too much.
    case tooLong
    /// Unknown: other code of this process took the status, or ignores `SIGCHLD`.
    case unknown
}

/// A program that was started, and ends with this value at the latest.
package struct StartedProgram: ~Copyable, Sendable {
    private let child: Child
    private var end: ProgramEnd?

    init(_ number: pid_t, ownsGroup: Bool, farewell: Duration) {
        let descriptor = process_open_child(number)
        child = Child(number, descriptor, ownsGroup: ownsGroup, farewell: farewell)
    }

    deinit {
        if end == nil { child.finish() }
        if child.descriptor >= 0 { close(child.descriptor) }
    }

    package var processID: pid_t { child.number }

    /// A descriptor of the process (pidfd), which is readable once the process has ended; -1 if the
    /// kernel has none.
    package var descriptor: Int32 { child.descriptor }

    /// Waits for the end.
    ///
    /// - Parameter limit: The longest time to wait; nil for no limit.
    /// - Returns: nil if the program still runs.
    package mutating func wait(upTo limit: Duration? = nil) -> ProgramEnd? {
        if end == nil { end = child.wait(until: limit.map { ContinuousClock.now + $0 }) }
        return end
    }

    /// Sends a signal, unless the end is known.
    package borrowing func send(_ signal: Int32) {
        if end == nil { child.send(signal) }
    }

    /// Ends the program now, with `SIGTERM` first if the plan has a farewell.
    ///
    /// - Returns: The way in which it ended, maybe earlier.
    @discardableResult
    package mutating func stop() -> ProgramEnd {
        let found = end ?? child.finish()
        end = found
        return found
    }

    /// Lets the program run on after the life of this value.
    ///
    /// - Returns: Its process number.
    package consuming func detach() -> pid_t {
        let child = child
        discard self
        if child.descriptor >= 0 { close(child.descriptor) }
        return child.number
    }
}

/// A child of this process whose status nobody has taken.
private struct Child {
    let number: pid_t
    /// -1 if the kernel has none, or if a filter of system calls forbids it.
    let descriptor: Int32
    let ownsGroup: Bool
    let farewell: Duration

    init(_ number: pid_t, _ descriptor: Int32, ownsGroup: Bool, farewell: Duration) {
        self.number = number
        self.descriptor = descriptor
        self.ownsGroup = ownsGroup
        self.farewell = farewell
    }

    /// Waits until a time; nil for no limit.
    func wait(until deadline: ContinuousClock.Instant?) -> ProgramEnd? {
        while true {
            if let end = reap() { return end }
            let rest = deadline.map { $0 - .now }
            if let rest, rest <= .zero { return nil }
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // Without a descriptor, this waits briefly and checks again.
            let longest: Int32 = descriptor < 0 ? 10 : 60_000
            poll(&request, 1, min(rest?.pollMilliseconds ?? longest, longest))
        }
    }

    /// Kills the program and takes its status.
    @discardableResult
    func finish() -> ProgramEnd {
        if farewell > .zero {
            send(SIGTERM)
            if let end = wait(until: .now + farewell) { return end }
        }
        send(SIGKILL)
        return wait(until: nil) ?? .unknown
    }

    /// Takes the status if the program ended, after it kills the rest of the program's own group.
    private func reap() -> ProgramEnd? {
        switch process_has_ended(number) {
        case 0: return nil
        case 1: break
        default: return .unknown
        }
        // The number belongs to the group until the status is taken.
        if ownsGroup { kill(-number, SIGKILL) }
        var status: Int32 = 0
        while waitpid(number, &status, 0) < 0 { guard errno == EINTR else { return .unknown } }
        let signal = status & 0x7F
        return signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal)
    }

    func send(_ signal: Int32) {
        guard descriptor >= 0 else {
            kill(number, signal)
            return
        }
        // A program that ended needs no signal.
        _ = process_send_signal(descriptor, signal)
    }
}

extension Duration {
    /// The time in milliseconds for poll(2), rounded up.
    var pollMilliseconds: Int32 {
        let (seconds, attoseconds) = components
        guard seconds < 2_000_000 else { return 2_000_000_000 }
        return max(
            0,
            Int32(seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
        )
    }
}
