import KeychainSockets
import KeychainWire
import Synchronization

/// The messages to one agent, which a thread of their own sends in order.
///
/// An agent that does not read holds up nobody: what it does not take is bounded, and beyond that
/// its connection ends.
final class AgentOutbox: Sendable {
    private static let messageLimit = 32

    private struct State {
        var messages: [DaemonMessage] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let pipe: WakePipe
    private let deliver: @Sendable (DaemonMessage) -> Bool
    private let end: @Sendable () -> Void

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
        self.pipe = pipe
        self.deliver = deliver
        self.end = end
        guard DetachedThread.start({ [self] in run() }) else { return nil }
    }

    /// Queues a message.
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

    /// Ends the connection; messages that were not sent are lost.
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

    private func run() {
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
