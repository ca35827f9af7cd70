import Cryptography
import DataProtection
import KeychainMessages
import KeychainModel
import Secrets

// Authentication: the required proofs, and the given ones. This code prompts neither a user nor a
// sensor. It throws a challenge instead, and the answer arrives with the next round of the call. It
// also throws if it needs the device's surroundings, which then arrive the same way.
//
// Invariants   (1) A proof consists of keys, not of a flag: without the proof nothing opens.
//              (2) Locking ends the proofs of every context.
//
// Source: requirements SAC-05 to SAC-33, BIO-01 to BIO-22.
extension DeviceSession {
    /// Returns all proofs for a call: its own, its context's, and the one that unlocked the device.
    func proof(for prover: Prover) throws(KeychainError) -> Proof {
        let now = environment.instant()
        var proof = Proof()
        if let context = prover.terms.context {
            let reused = try fromDevice(try device.reuseMatch(within: context.reuse, at: now))
            if let reused { proof.merge(reused) }
            if let kept = contexts.proof(of: context, at: now) { proof.merge(kept) }
            if let password = context.applicationPassword {
                proof.merge(Proof(applicationPassword: password))
            }
        }
        proof.merge(prover.conversation.proof)
        return proof
    }

    /// Returns the proof of a constraint.
    ///
    /// - Throws: A challenge if a prompt can help; otherwise the reason why the proof is
    ///   impossible.
    func prove(
        _ constraint: Constraint,
        gate: [UInt8]? = nil,
        isNew: Bool = false,
        for prover: Prover
    ) throws(KeychainError) -> Proof {
        try checkContext(of: prover)
        let proof = try proof(for: prover)
        var factorStates: [Factor: FactorState] = [:]
        for factor in constraint.factors {
            factorStates[factor] = try factorState(of: factor, proof, gate: gate, prover)
        }
        let evaluator = ConstraintEvaluator {
            factorStates[$0] ?? .impossible(.authenticationFailed)
        }
        switch evaluator.verdict(on: constraint) {
        case .satisfied: return proof
        case .denied(let failure): throw try denial(failure, gate: gate)
        case .ask(let factor, let hasFallback):
            guard prover.mayPrompt else { throw KeychainError(.notInteractive) }
            throw try challenge(factor, hasFallback, isNew: isNew, prover)
        }
    }

    private func checkContext(of prover: Prover) throws(KeychainError) {
        if let outcome = prover.conversation.outcome { throw KeychainError(outcome) }
        if let context = prover.terms.context, contextEnds.hasEnded(context) {
            throw KeychainError(.invalidContext)
        }
    }

    private func challenge(
        _ factor: Factor,
        _ hasFallback: Bool,
        isNew: Bool,
        _ prover: Prover
    ) throws(KeychainError) -> KeychainError {
        let kind: Prompt.Kind =
            switch factor {
            case .passcode: .passcode
            case .biometry, .currentBiometry: .biometry(try prover.surroundings().biometry)
            case .companion: .companion
            case .applicationPassword: isNew ? .newApplicationPassword : .applicationPassword
            }
        let title = prover.terms.context?.fallbackTitle
        let prompt = Prompt(
            kind,
            reason: prover.terms.promptReason,
            offersFallback: offersFallback(from: factor, hasFallback, title, prover),
            fallbackTitle: title
        )
        let challenge = Challenge(factor: factor, prompt: prompt, lockCount: lockCount)
        return KeychainError(
            .interactionNotAllowed,
            "the call needs a prompt",
            cause: .challenge(challenge)
        )
    }

    /// Whether the prompt offers a fallback button.
    ///
    /// An empty title hides it. Without another factor, it appears if the program can take over,
    /// which a title or a policy shows.
    private func offersFallback(
        from factor: Factor,
        _ hasFallback: Bool,
        _ title: String?,
        _ prover: Prover
    ) -> Bool {
        guard factor.isBiometric, title != "" else { return false }
        return hasFallback || title != nil || prover.isPolicy
    }

    /// Returns the error for a denial.
    ///
    /// A changed enrolment may make the item look absent (contradiction `changed-enrolment`).
    private func denial(
        _ failure: AuthenticationFailure,
        gate: [UInt8]?
    ) throws(KeychainError) -> KeychainError {
        guard let gate, failure == .authenticationFailed || failure == .biometryNotEnrolled,
            profiles.behavior.biometryCurrentSetChanged == .itemNotFound,
            try fromDevice(try device.isEnrolmentChanged(since: gate))
        else { return KeychainError(failure) }
        return KeychainError(
            .itemNotFound,
            "the enrolled faces or fingers changed since the item was added, so nothing opens it"
        )
    }
}

// The state of each factor.
extension DeviceSession {
    private func factorState(
        of factor: Factor,
        _ proof: Proof,
        gate: [UInt8]?,
        _ prover: Prover
    ) throws(KeychainError) -> FactorState {
        if factor == .currentBiometry, let gate,
            try isEnrolmentChanged(since: gate, try prover.surroundings())
        {
            return .impossible(.authenticationFailed)
        }
        // This also applies to a passcode that was proven at a familiar place.
        if factor == .passcode, try prover.surroundings().refusesPasscode {
            return .impossible(.authenticationFailed)
        }
        if proof.factors.contains(factor) { return .proven }
        if let failure = prover.conversation.refused[factor] { return .refused(failure) }
        if let failure = try obstacle(to: factor, prover) { return .impossible(failure) }
        return .askable
    }

    /// Whether the enrolment differs from the gate's, including the present list of an outside
    /// reader.
    private func isEnrolmentChanged(
        since gate: [UInt8],
        _ surroundings: Surroundings
    ) throws(KeychainError) -> Bool {
        try adoptEnrolments(of: surroundings)
        return try fromDevice(try device.isEnrolmentChanged(since: gate))
    }

    /// Returns the reason why a factor cannot be proven now; nil if it can.
    private func obstacle(
        to factor: Factor,
        _ prover: Prover
    ) throws(KeychainError) -> AuthenticationFailure? {
        switch factor {
        case .passcode:
            guard device.isPasscodeSet else { return .passcodeNotSet }
            let delay = try attemptStatus().delayRemaining
            return delay > .zero ? .authenticationFailed : nil
        case .biometry, .currentBiometry:
            let surroundings = try prover.surroundings()
            guard surroundings.biometry != .none else { return .biometryNotAvailable }
            try adoptEnrolments(of: surroundings)
            return try fromDevice(try device.biometryObstacle())?.failure
        case .companion:
            return try prover.surroundings().hasCompanion ? nil : .companionNotAvailable
        case .applicationPassword: return nil
        }
    }

    /// Returns the facts about the device's biometry that a program may know.
    func biometryStatus(in surroundings: Surroundings) throws(KeychainError) -> BiometryStatus {
        let hasBiometry = surroundings.biometry != .none
        try adoptEnrolments(of: surroundings)
        let enrolment = hasBiometry ? try fromDevice(try device.enrolmentState()) : nil
        let companion =
            surroundings.hasCompanion ? try fromDevice(try device.companionState()) : nil
        let obstacle = hasBiometry ? try fromDevice(try device.biometryObstacle()) : nil
        return BiometryStatus(
            kind: surroundings.biometry,
            enrolmentState: enrolment,
            isLockedOut: obstacle == .lockedOut,
            companionState: companion,
            combinedState: try fromDevice(try device.domainState(of: enrolment, companion))
        )
    }
}

// Answers to prompts.
extension DeviceSession {
    /// Judges an answer; a correct one adds its keys to the conversation.
    ///
    /// `beginProof` and `finishProof` try a typed passcode instead.
    mutating func take(
        _ answer: PromptAnswer,
        to challenge: Challenge,
        _ conversation: inout Conversation
    ) throws(KeychainError) {
        guard counts(answerTo: challenge, &conversation) else { return }
        let now = environment.instant()
        switch (answer, challenge.factor) {
        case (.canceled, _): conversation.outcome = .userCancel
        case (.interrupted, _): conversation.outcome = .systemCancel
        case (.impossible, _): conversation.outcome = .notInteractive
        case (.fallback, let factor): conversation.refuse(factor, .userFallback)
        case (.presented(let sample), .biometry), (.presented(let sample), .currentBiometry):
            try judge(challenge.factor, &conversation) { device throws(DeviceError) in
                try device.prove(presenting: sample, at: now)
            }
        case (.approved, .companion):
            try judge(.companion, &conversation) { device throws(DeviceError) in
                try device.proveCompanion(at: now)
            }
        case (.typed(let password), .applicationPassword)
        where password.secret.byteCount > 0:
            conversation.proof.merge(Proof(applicationPassword: password))
        case (_, let factor): conversation.refuse(factor, .authenticationFailed)
        }
    }

    /// Whether an answer counts; none does once the device was locked after the prompt.
    private func counts(
        answerTo challenge: Challenge,
        _ conversation: inout Conversation
    ) -> Bool {
        let isTimely = challenge.lockCount == lockCount
        if !isTimely { conversation.outcome = .systemCancel }
        return isTimely
    }

    private mutating func judge(
        _ factor: Factor,
        _ conversation: inout Conversation,
        _ body: (inout Device) throws(DeviceError) -> Proof?
    ) throws(KeychainError) {
        do throws(DeviceError) {
            guard let proof = try body(&device) else {
                return conversation.refuse(factor, .companionNotAvailable)
            }
            conversation.proof.merge(proof)
        } catch {
            try refuse(factor, error, &conversation)
        }
    }

    /// Records why a factor is not proven.
    private func refuse(
        _ factor: Factor,
        _ error: DeviceError,
        _ conversation: inout Conversation
    ) throws(KeychainError) {
        switch error {
        case .noMatch, .wrongPasscode, .delayed:
            conversation.refuse(factor, .authenticationFailed)
        case .biometryUnavailable(let obstacle): conversation.refuse(factor, obstacle.failure)
        case .passcodeNotSet: conversation.refuse(factor, .passcodeNotSet)
        default: throw KeychainError(error)
        }
    }
}

// A typed passcode: counted, stretched without a lock, and then tried.
extension DeviceSession {
    /// Counts the attempt.
    ///
    /// - Returns: nil if there is no attempt to make; the conversation then contains the reason.
    mutating func beginProof(
        answering challenge: Challenge,
        _ conversation: inout Conversation
    ) throws(KeychainError) -> CountedAttempt? {
        guard counts(answerTo: challenge, &conversation) else { return nil }
        let now = environment.instant()
        do throws(DeviceError) {
            return try device.beginProof(at: now)
        } catch {
            try refuse(.passcode, error, &conversation)
            return nil
        }
    }

    /// Makes the attempt; an answer from before a lock does not count.
    ///
    /// - Returns: Another attempt if the passcode changed meanwhile; otherwise nil.
    mutating func finishProof(
        with passcode: StretchedPasscode,
        answering challenge: Challenge,
        _ conversation: inout Conversation
    ) throws(KeychainError) -> CountedAttempt? {
        guard counts(answerTo: challenge, &conversation) else { return nil }
        let now = environment.instant()
        do throws(DeviceError) {
            switch try device.finishProof(with: passcode, at: now) {
            case .proven(let proof): conversation.proof.merge(proof)
            case .again(let attempt): return attempt
            }
        } catch {
            try refuse(.passcode, error, &conversation)
        }
        return nil
    }
}

// Requests of a context itself.
extension DeviceSession {
    mutating func authenticate(
        _ request: AuthenticationRequest,
        canPrompt: Bool,
        _ conversation: Conversation
    ) throws(KeychainError) -> AuthenticationReply {
        try fromDevice(try device.forgetUselessToken())
        switch request {
        case .biometryStatus:
            return .biometry(try biometryStatus(in: try conversation.knownSurroundings()))
        case .end(let session): contexts.end(session)
        case .evaluate(let constraint, let context):
            guard profiles.system.enforcesLockState else {
                return try evaluateWithoutProof(constraint, try conversation.knownSurroundings())
            }
            let prover = Prover(
                terms: AuthenticationTerms(context: context),
                canPrompt: canPrompt,
                conversation: conversation,
                isPolicy: true
            )
            let proof = try prove(constraint, for: prover)
            try contexts.keep(evaluated: proof, for: context, environment)
        case .canEvaluate(let constraint, let context):
            guard profiles.system.enforcesLockState else {
                return try evaluateWithoutProof(constraint, try conversation.knownSurroundings())
            }
            try canEvaluate(constraint, context, conversation)
        }
        return .done
    }

    /// Answers as if an enrolled face were presented, as Apple's iOS Simulator does
    /// (contradiction `ios-simulator`).
    private func evaluateWithoutProof(
        _ constraint: Constraint,
        _ surroundings: Surroundings
    ) throws(KeychainError) -> AuthenticationReply {
        guard surroundings.biometry == .none, constraint == .factor(.biometry)
        else { return .done }
        throw KeychainError(.biometryNotAvailable)
    }

    private func canEvaluate(
        _ constraint: Constraint,
        _ context: ContextReference,
        _ conversation: Conversation
    ) throws(KeychainError) {
        let prover = Prover(
            terms: AuthenticationTerms(context: context),
            canPrompt: true,
            conversation: Conversation(in: conversation.surroundings)
        )
        do throws(KeychainError) {
            _ = try prove(constraint, for: prover)
        } catch {
            if error.challenge == nil { throw error }
        }
    }

    /// Keeps the proofs of a call for later calls with its context.
    mutating func keepProofs(_ conversation: Conversation, _ context: ContextReference?) {
        // The proofs of a context that ended meanwhile are gone, and stay so.
        guard let context, context.reuse > .zero, conversation.outcome == nil,
            !contextEnds.hasEnded(context)
        else { return }
        contexts.keep(match: conversation.proof, for: context, environment)
    }
}
