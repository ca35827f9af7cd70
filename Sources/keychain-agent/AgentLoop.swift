import CallerEvidence
import Glibc
import KeychainModel
import KeychainPrompts
import KeychainWire
import MessageTransport

// Laws  (1) Every prompt gets exactly one answer, even one that the daemon withdrew.
//       (2) A typed answer goes only to the daemon that requested it.

/// A loop that connects to the daemon, shows its prompts, and reconnects when it returns.
struct AgentLoop {
    private static let pauses: [UInt32] = [1, 1, 2, 4, 8, 15, 30]

    let socket: () -> String?
    let prompter: SessionPrompter

    /// Serves until the daemon refuses this program.
    ///
    /// - Returns: The reason of the refusal.
    func run() -> KeychainError {
        var failures = 0
        var lastWords: String?
        while true {
            let error: ConnectionError
            switch serve() {
            case .neverConnected(let found): error = found
            case .lost(let found):
                error = found
                failures = 0
                lastWords = nil
            }
            if case .refused(let refusal) = error { return refusal }
            // Each failure is logged once, not at each attempt.
            let words = error.sentence
            if words != lastWords { AgentLog.write("\(words); it will try again") }
            lastWords = words
            sleep(Self.pauses[min(failures, Self.pauses.count - 1)])
            failures += 1
        }
    }

    private enum End {
        case neverConnected(ConnectionError)
        case lost(ConnectionError)
    }

    private func serve() -> End {
        let connection: ClientConnection
        do throws(ConnectionError) {
            guard let path = socket() else { throw .unreachable("there is no socket") }
            connection = try ClientConnection(connectingTo: path, ClientHello())
            try connection.send(.becomeAgent)
            AgentLog.write("connected to the daemon at \(path)")
        } catch { return .neverConnected(error) }
        do throws(ConnectionError) {
            try show(connection, PromptInbox(connection))
        } catch { return .lost(error) }
    }

    private func show(
        _ connection: ClientConnection,
        _ inbox: PromptInbox
    ) throws(ConnectionError) -> Never {
        while true {
            let (id, asked) = try inbox.next()
            AgentLog.write("prompt for \(QuotedText.of(asked.program)) (\(asked.level.word))")
            let answer = inbox.wants(id) ? show(asked) { inbox.wants(id) } : .nothing
            AgentLog.write("the prompt ended: \(answer.word)")
            try connection.send(.promptAnswer(id, answer))
            inbox.forget(id)
        }
    }

    private func show(
        _ asked: AgentPrompt,
        while isWanted: @escaping @Sendable () -> Bool
    ) -> PromptAnswer {
        AgentSignals.showing {
            prompter.answer(
                asked.prompt,
                of: asked.program,
                standing: asked.level.word,
                while: { isWanted() && !AgentSignals.wantsEnd }
            )
        }
    }
}

extension PromptAnswer {
    /// The answer in a word, without typed text.
    fileprivate var word: String {
        switch self {
        case .typed: "answered"
        case .canceled: "canceled"
        case .fallback: "another way was chosen"
        case .nothing: "nobody answered, or nobody waits for it"
        case .impossible: "there is no display, terminal or dialog program"
        case .presented, .approved, .interrupted: "interrupted"
        }
    }
}

extension ConnectionError {
    fileprivate var sentence: String {
        switch self {
        case .unreachable(let why): "cannot reach the daemon: \(why)"
        case .refused(let error): "the daemon refuses: \(error.reason)"
        case .foreignServer(let account): "account \(account) listens, which may run no daemon"
        case .notTaken(let why), .lost(let why): "lost the daemon: \(why)"
        case .unsendable(let error): "lost the daemon: \(error.words)"
        }
    }
}
