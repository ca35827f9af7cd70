import CallerEvidence
import KeychainEngine
import KeychainMessages
import KeychainModel
import KeychainServer

/// A call of a program: the engine's rounds, and prompts between them.
final class DaemonCall: ProgramCall {
    private var call: EngineCall
    private let request: Request
    private let keychain: AccountKeychain
    private let caller: JudgedCaller
    private let record: CallRecord
    private let collector = FindingCollector()
    private let deviceChanged: @Sendable () -> Void
    /// Hears of a call that showed that the program knows the passcode.
    private let proved: @Sendable () -> Void
    private var hasAsked = false

    init(
        _ call: EngineCall,
        _ request: Request,
        _ keychain: AccountKeychain,
        _ caller: JudgedCaller,
        _ record: CallRecord,
        deviceChanged: @escaping @Sendable () -> Void,
        proved: @escaping @Sendable () -> Void = {}
    ) {
        self.call = call
        self.request = request
        self.keychain = keychain
        self.caller = caller
        self.record = record
        self.deviceChanged = deviceChanged
        self.proved = proved
    }

    func proceed(_ answer: PromptAnswer?) throws(KeychainError) -> CallStep {
        let step = try collecting { () throws(KeychainError) in
            try keychain.engine.proceed(with: &call, answer)
        }
        guard case .reply(let reply) = step, let headless = keychain.headless else { return step }
        return .reply(headless.completing(reply, to: request))
    }

    /// Keeps the findings of this call apart from those of others.
    private func collecting<R>(
        _ body: () throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        let result: Result<R, KeychainError> = FindingCollector.$current.withValue(collector) {
            do throws(KeychainError) { return .success(try body()) } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    func ask(_ challenge: Challenge, _ asker: any ProgramAsker) -> PromptAnswer {
        let asked = call
        hasAsked = true
        return keychain.prompts.prompter(
            for: caller,
            answering: ClientPrompt(challenge: challenge, asker: asker),
            isAlive: { asker.isThere }
        ).answer(challenge.prompt) { asked.isWanted }
    }

    func finish(_ error: KeychainError?) -> [Finding] {
        record.write(error)
        if error == nil, request.provesPasscode,
            (try? keychain.engine.isPasscodeSet) == true
        {
            proved()
        }
        if hasAsked || request.isToDevice { deviceChanged() }
        return collector.take()
    }
}

extension Request {
    /// Whether the passcode in it was the right one, if it succeeds while a passcode is set.
    fileprivate var provesPasscode: Bool {
        if case .device(.unlock) = self { true } else { false }
    }

    fileprivate var isToDevice: Bool {
        switch self {
        case .device: true
        case .items, .elementKey, .authenticate, .maintenance, .fileKeys, .synchronization: false
        }
    }
}

/// A prompt that the program shows itself, if it offered to.
private struct ClientPrompt: ClientPrompting {
    let challenge: Challenge
    let asker: any ProgramAsker

    func answer(
        _ prompt: Prompt,
        while isWanted: @escaping @Sendable () -> Bool
    ) -> PromptAnswer {
        asker.answer(challenge, while: isWanted) ?? .impossible
    }
}
