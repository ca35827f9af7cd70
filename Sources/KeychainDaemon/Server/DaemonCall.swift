import CallerEvidence
import KeychainEngine
import KeychainMessages
import KeychainModel
import KeychainServer

/// A call of a program: the engine's rounds, with prompts between them.
final class DaemonCall: ProgramCall {
    private var call: EngineCall
    private let request: Request
    private let keychain: AccountKeychain
    private let caller: JudgedCaller
    private let record: CallRecord
    private let collector = FindingCollector()
    private let terms: Terms
    private var hasAsked = false

    /// The listeners of a call, and its conditions.
    struct Terms {
        var deviceChanged: @Sendable () -> Void
        /// Called after a successful unlock.
        var unlocked: @Sendable () -> Void = {}
        /// Called after a change, before the program gets the reply.
        var touched: (@Sendable () -> Void)?
        /// Decides again in the turn of lock settings; nil for any other call.
        var recheck: (@Sendable () throws(KeychainError) -> Void)?
    }

    init(
        _ call: EngineCall,
        _ request: Request,
        _ keychain: AccountKeychain,
        _ caller: JudgedCaller,
        _ record: CallRecord,
        _ terms: Terms
    ) {
        self.call = call
        self.request = request
        self.keychain = keychain
        self.caller = caller
        self.record = record
        self.terms = terms
    }

    func proceed(_ answer: PromptAnswer?) throws(KeychainError) -> CallStep {
        let step: CallStep
        if let recheck = terms.recheck {
            step = try keychain.settingsTurn.withLock { _ throws(KeychainError) in
                try recheck()
                return try collected(answer)
            }
        } else {
            step = try collected(answer)
        }
        guard case .reply(let reply) = step else { return step }
        if let touched = terms.touched {
            touched()
            // A move that replaced this keychain either checked before the change, or sees it now.
            guard !keychain.hasEnded.isSet else { throw AccountKeychain.closed }
        }
        guard let headless = keychain.headless else { return step }
        return .reply(headless.completing(reply, to: request))
    }

    private func collected(_ answer: PromptAnswer?) throws(KeychainError) -> CallStep {
        do throws(KeychainError) {
            return try collecting { () throws(KeychainError) in
                try keychain.engine.proceed(with: &call, answer)
            }
        } catch {
            throw keychain.explaining(error)
        }
    }

    /// Separates the findings of this call from those of others.
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
        if error == nil { terms.unlocked() }
        // Another call may have seen the records that this one removed.
        if case .synchronization(.forget) = request { keychain.hasCircle.clear() }
        if let error, hasAsked || request.isToDevice { keychain.noteDelay(after: error) }
        if hasAsked || request.isToDevice { terms.deviceChanged() }
        return collector.take()
    }
}

extension Request {
    fileprivate var isToDevice: Bool { if case .device = self { true } else { false } }
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
