import KeychainSockets
import KeychainWire
import Synchronization

/// The messages to one agent, which a thread of their own sends in order.
///
/// An agent that does not read blocks nothing: the queue is limited, and beyond the limit its
/// connection ends. The connection and the thread also end with this value.
final class AgentOutbox: Sendable {
    private let line: AgentLine

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - deliver: Sends a message; may block; returns false once the connection is gone.
    ///   - end: Ends the connection; called once.
    init?(
        deliver: @escaping @Sendable (DaemonMessage) -> Bool,
        end: @escaping @Sendable () -> Void
    ) {
        guard let pipe = WakePipe() else { return nil }
        let line = AgentLine(pipe: pipe, deliver: deliver, end: end)
        self.line = line
        guard DetachedThread.start({ line.run() }) else { return nil }
    }

    deinit { close() }

    /// Queues a message.
    func send(_ message: DaemonMessage) { line.send(message) }

    /// Ends the connection; unsent messages are lost.
    func close() { line.close() }
}

/// The state of the thread, without the outbox, which would otherwise live as long as the thread.
private final class AgentLine: Sendable {
    private static let messageLimit = 32

    private struct State {
        var messages: [DaemonMessage] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let pipe: WakePipe
    private let deliver: @Sendable (DaemonMessage) -> Bool
    private let end: @Sendable () -> Void

    init(
        pipe: WakePipe,
        deliver: @escaping @Sendable (DaemonMessage) -> Bool,
        end: @escaping @Sendable () -> Void
    ) {
        self.pipe = pipe
        self.deliver = deliver
        self.end = end
    }

    func send(_ message: DaemonMessage) {
        state.withLock { state in
            guard state.messages.count < Self.messageLimit else {
                state.isClosed = true
                return
            }
            state.messages.append(message)
        }
        pipe.wake()
    }

    func close() {
        state.withLock { $0.isClosed = true }
        pipe.wake()
    }

    private enum Next {
        case message(DaemonMessage)
        case wait
        case end
    }

    private func next() -> Next {
        state.withLock { state in
            if state.isClosed { return .end }
            return state.messages.isEmpty ? .wait : .message(state.messages.removeFirst())
        }
    }

    func run() {
        while true {
            switch next() {
            case .wait: pipe.wait(milliseconds: -1)
            case .end:
                end()
                return
            case .message(let message):
                if !deliver(message) { close() }
            }
        }
    }
}
