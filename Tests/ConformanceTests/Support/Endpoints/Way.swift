import KeychainDaemon
import KeychainEngine
import KeychainHost
import KeychainModel
import KeychainServer
import Secrets

/// A client for one caller on one device.
final class Way: Sendable {
    let engine: Engine
    let endpoint: DaemonEndpoint
    let isConnected = AdaptiveMutex(false)

    init(_ engine: Engine, _ endpoint: DaemonEndpoint) {
        self.engine = engine
        self.endpoint = endpoint
    }
}

// A daemon believes a program what is typed, and nothing else. The person of a simulated device
// also presents a finger, on the thread of the call: the program types a ticket for the answer.

/// The person in front of the device, as the program's side of a connection asks.
struct CarriedPrompter: Prompter {
    /// The person of the call that this thread makes.
    @TaskLocal static var person: (any Prompter)?

    let tickets: PromptTickets

    func answer(_ prompt: Prompt) -> PromptAnswer { answer(prompt) { true } }

    func answer(
        _ prompt: Prompt,
        while isWanted: @escaping @Sendable () -> Bool
    ) -> PromptAnswer {
        guard let person = Self.person else { return .impossible }
        return tickets.ticket(for: person.answer(prompt, while: isWanted))
    }
}

/// The daemon's side: asks the program, and redeems its ticket.
struct RedeemingPrompter: Prompter {
    let client: any ClientPrompting
    let tickets: PromptTickets

    func answer(_ prompt: Prompt) -> PromptAnswer { answer(prompt) { true } }

    func answer(
        _ prompt: Prompt,
        while isWanted: @escaping @Sendable () -> Bool
    ) -> PromptAnswer {
        tickets.redeem(client.answer(prompt, while: isWanted))
    }
}

/// Answers that are under way, each behind a ticket.
final class PromptTickets: Sendable {
    private struct State {
        var count: UInt64 = 0
        var answers: [[UInt8]: PromptAnswer] = [:]
    }

    private let state = AdaptiveMutex(State())

    func ticket(for answer: PromptAnswer) -> PromptAnswer {
        state.withLock { state in
            state.count += 1
            let number = Array("ticket \(state.count)".utf8)
            state.answers[number] = answer
            return .typed(SharedSecret(Secret(copying: number)))
        }
    }

    /// What the ticket is for; the answer itself if it is none.
    func redeem(_ answer: PromptAnswer) -> PromptAnswer {
        guard case .typed(let number) = answer else { return answer }
        let bytes = number.secret.copyBytesUnprotected()
        return state.withLock { $0.answers.removeValue(forKey: bytes) } ?? answer
    }
}
