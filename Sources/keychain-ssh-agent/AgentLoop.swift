import Glibc
import KeychainModel
import KeychainSockets
import Secrets

@_implementationOnly import CProcess

/// A loop that accepts connections until a signal, or until a watched process ends.
struct AgentLoop: ~Copyable {
    /// A message that wakes the accepting thread, as a byte in a pipe.
    enum Wakeup: UInt8 {
        case end = 1
        case show
        case look
    }

    private let reading: Descriptor
    private let writing: Int32

    init() throws(KeychainError) {
        var ends: [Int32] = [-1, -1]
        guard process_waking_pipe(&ends) == 0 else {
            throw KeychainError(.notAvailable, "pipe2: \(String(cString: strerror(errno)))")
        }
        reading = Descriptor(ends[0])
        writing = ends[1]
    }

    /// Wakes the accepting thread; a byte that does not fit a full pipe is not needed.
    var waker: @Sendable (Wakeup) -> Void {
        { [writing] wakeup in
            var byte = wakeup.rawValue
            _ = write(writing, &byte, 1)
        }
    }

    /// Accepts connections until the end.
    ///
    /// - Parameters:
    ///   - listener: The socket.
    ///   - watched: The pidfd of a process whose end also ends the agent; -1 for none.
    ///   - server: Serves the connections.
    borrowing func run(
        _ listener: borrowing UnixListener,
        watching watched: Int32,
        _ server: AgentServer
    ) {
        while true {
            let events = Int16(POLLIN)
            var requests = [
                pollfd(fd: listener.descriptor.number, events: events, revents: 0),
                pollfd(fd: reading.number, events: events, revents: 0),
                pollfd(fd: watched, events: events, revents: 0),
            ]
            let count = poll(&requests, 3, Self.milliseconds(server.expire()))
            guard count >= 0 || errno == EINTR else { return }
            guard count > 0 else { continue }
            if requests[2].revents != 0 { return }
            if requests[1].revents != 0, takeWakeups(server) { return }
            if requests[0].revents != 0 { accept(listener, server) }
        }
    }

    /// Handles the messages in the pipe.
    ///
    /// - Returns: Whether one of them is the end.
    private borrowing func takeWakeups(_ server: AgentServer) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(reading.number, &bytes, bytes.count)
        let wakeups = bytes.prefix(max(count, 0)).compactMap(Wakeup.init)
        if wakeups.contains(.show) { server.showAllKept() }
        return wakeups.contains(.end)
    }

    private borrowing func accept(_ listener: borrowing UnixListener, _ server: AgentServer) {
        do throws(SocketError) {
            guard let stream = try listener.accept() else { return }
            server.serve(stream)
        } catch {
            // The process has too many descriptors; connections that end release some.
            AgentOutput.complain("cannot accept a connection: \(error.words)")
            AgentClock.pause(.milliseconds(200))
        }
    }

    private static func milliseconds(_ duration: Duration?) -> Int32 {
        guard let duration else { return -1 }
        let (seconds, attoseconds) = duration.components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1
        return Int32(clamping: max(milliseconds, 0))
    }
}
