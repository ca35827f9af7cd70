import Glibc
import KeychainSockets

/// How a thread waits for a relay, and how another one ends that.
package final class RelayWait: Sendable {
    /// What ended a wait.
    package enum End: Sendable, Hashable {
        case ready
        case interrupted
        case timeIsOver
    }

    private let signal: WakeSignal

    /// - Throws: `unreachable` where the process has too many descriptors.
    package init() throws(RelayError) {
        do throws(SocketError) {
            signal = try WakeSignal()
        } catch {
            throw .unreachable(error.words)
        }
    }

    /// What becomes readable when there is an interrupt.
    package var descriptor: Int32 { signal.descriptor.number }

    /// Ends a wait, or the next one.
    package func interrupt() { signal.give() }

    /// Forgets the interrupts up to now.
    ///
    /// - Returns: Whether there were any.
    package func clear() -> Bool {
        var count: UInt64 = 0
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard Glibc.poll(&poll, 1, 0) == 1 else { return false }
        return read(descriptor, &count, 8) == 8
    }

    /// Waits until a descriptor is ready, an interrupt comes, or the time is over.
    package func wait(
        for other: Int32? = nil,
        events: Int32 = POLLIN,
        until deadline: Deadline
    ) -> End {
        var polls = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
        if let other { polls.append(pollfd(fd: other, events: Int16(events), revents: 0)) }
        while true {
            let limit = deadline.pollMilliseconds
            let count = poll(&polls, nfds_t(polls.count), limit)
            if count == 0 { return .timeIsOver }
            if count < 0 {
                // Nothing but a signal fails here, whose handler may have taken time.
                if errno == EINTR { continue }
                return .timeIsOver
            }
            return polls[0].revents != 0 && clear() ? .interrupted : .ready
        }
    }

    /// Tries something again and again, at longer and longer intervals, while the relay cannot be
    /// reached.
    ///
    /// - Returns: What it returned; nil after an interrupt.
    /// - Throws: What it threw, if that does not pass or the time is over.
    package func trying<R>(
        until deadline: Deadline,
        _ body: () throws(RelayError) -> R
    ) throws(RelayError) -> R? {
        var pause = Duration.milliseconds(100)
        while true {
            do throws(RelayError) { return try body() } catch {
                guard case .unreachable = error, !deadline.isOver else { throw error }
                let end = Deadline.after(pause)
                let isLast = deadline.pollMilliseconds < end.pollMilliseconds
                if wait(until: isLast ? deadline : end) == .interrupted { return nil }
                pause = min(pause * 2, .seconds(5))
            }
        }
    }
}

extension Deadline {
    /// So long from now, at most 49 days.
    package static func after(_ duration: Duration) -> Deadline {
        let (seconds, attoseconds) = duration.components
        guard duration > .zero else { return .after(milliseconds: 0) }
        guard seconds < 4_000_000 else { return .after(milliseconds: .max) }
        let rest = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return .after(milliseconds: UInt32(seconds * 1000 + rest))
    }

    /// Whether the moment is over.
    package var isOver: Bool { pollMilliseconds == 0 }
}
