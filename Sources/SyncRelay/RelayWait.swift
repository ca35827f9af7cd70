import Glibc
import KeychainSockets

/// A wait of a thread for a relay, which another thread can end.
package final class RelayWait: Sendable {
    /// The reason why a wait ended.
    package enum End: Sendable, Hashable {
        case ready
        case interrupted
        case timeIsOver
    }

    private let signal: WakeSignal

    /// Makes a wait.
    ///
    /// - Throws: `unreachable` if the process has too many descriptors.
    package init() throws(RelayError) {
        do throws(SocketError) {
            signal = try WakeSignal()
        } catch {
            throw .unreachable(error.words)
        }
    }

    /// The descriptor that becomes readable at an interrupt.
    package var descriptor: Int32 { signal.descriptor.number }

    /// Ends the current wait, or the next one.
    package func interrupt() { signal.give() }

    /// Clears earlier interrupts.
    ///
    /// - Returns: Whether there were any.
    package func clear() -> Bool {
        var count: UInt64 = 0
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard Glibc.poll(&poll, 1, 0) == 1 else { return false }
        return read(descriptor, &count, 8) == 8
    }

    /// Waits until a descriptor is ready, an interrupt arrives, or the deadline is over.
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
                // Only a signal makes `poll` fail here, and its handler may have taken time.
                if errno == EINTR { continue }
                return .timeIsOver
            }
            return polls[0].revents != 0 && clear() ? .interrupted : .ready
        }
    }

    /// Repeats work at growing intervals while the relay is unreachable.
    ///
    /// - Returns: The result of the work; nil after an interrupt.
    /// - Throws: The work's error, if it is permanent or the deadline is over.
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
    /// Returns the deadline after a duration, at most 49 days from now.
    package static func after(_ duration: Duration) -> Deadline {
        let (seconds, attoseconds) = duration.components
        guard duration > .zero else { return .after(milliseconds: 0) }
        guard seconds < 4_000_000 else { return .after(milliseconds: .max) }
        let rest = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return .after(milliseconds: UInt32(seconds * 1000 + rest))
    }

    /// Whether the deadline is over.
    package var isOver: Bool { pollMilliseconds == 0 }
}
