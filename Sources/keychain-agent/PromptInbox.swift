import KeychainWire
import MessageTransport
import Synchronization

/// The messages from the daemon, which also arrive while a prompt is visible.
final class PromptInbox: Sendable {
    private struct State {
        var waiting: [(id: PromptID, prompt: AgentPrompt)] = []
        var withdrawn: Set<PromptID> = []
        /// The reason why the connection ended.
        var end: ConnectionError?

        mutating func take(_ message: DaemonMessage) {
            switch message {
            case .prompt(let id, let prompt): waiting.append((id, prompt))
            case .withdraw(let id): withdrawn.insert(id)
            case .refusal(let error): end = .refused(error)
            case .welcome, .reply, .failure, .challenge, .daemon: break
            }
        }
    }

    private let connection: ClientConnection
    private let state = Mutex(State())

    init(_ connection: ClientConnection) { self.connection = connection }

    /// Waits for the next prompt.
    ///
    /// - Throws: `ConnectionError` after the connection has ended.
    func next() throws(ConnectionError) -> (id: PromptID, prompt: AgentPrompt) {
        while true {
            if let end = state.withLock(\.end) { throw end }
            let next = state.withLock { state in
                state.waiting.isEmpty ? nil : state.waiting.removeFirst()
            }
            if let next { return next }
            receive()
        }
    }

    /// Whether the daemon still waits for a prompt's answer.
    func wants(_ id: PromptID) -> Bool {
        while connection.hasArrival, state.withLock({ $0.end == nil }) { receive() }
        return state.withLock { $0.end == nil && !$0.withdrawn.contains(id) }
    }

    /// Forgets an answered prompt.
    func forget(_ id: PromptID) { state.withLock { _ = $0.withdrawn.remove(id) } }

    private func receive() {
        do throws(ConnectionError) {
            let message = try connection.receive()
            state.withLock { $0.take(message) }
        } catch {
            state.withLock { $0.end = error }
        }
    }
}
