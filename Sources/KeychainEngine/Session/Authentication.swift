import Cryptography
import DataProtection
import KeychainMessages
import KeychainModel
import Secrets

// Who has to prove what, and what was proven. Nobody is asked in here, neither a person nor a
// sensor: what has to be asked leaves as a challenge, and its answer comes back with the next round
// of the call; what is around the device comes with the round, and is asked for by an error.
//
// Invariants   (1) A proof is keys, not a flag: what nobody proved cannot be opened.
//              (2) Locking ends every context's proofs.
//
// Source: requirements SAC-05 to SAC-33, BIO-01 to BIO-22.
extension DeviceSession {
    /// All that is proven for a call: in it, in its context, and by how the device was unlocked.
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

    /// The proof of a constraint.
    ///
    /// - Throws: a challenge while there is somebody to ask; else why nobody can prove it.
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

    /// Whether the prompt has a button for another way: an empty title hides it; without another
    /// factor it is there if the program can take over, which it shows by a title or a policy.
    private func offersFallback(
        from factor: Factor,
        _ hasFallback: Bool,
        _ title: String?,
        _ prover: Prover
    ) -> Bool {
        guard factor.isBiometric, title != "" else { return false }
        return hasFallback || title != nil || prover.isPolicy
    }

    /// Contradiction `changed-enrolment`: a changed enrolment may make the item look absent.
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
        // Also for a passcode that was proven at a familiar place.
        if factor == .passcode, try prover.surroundings().refusesPasscode {
            return .impossible(.authenticationFailed)
        }
        if proof.factors.contains(factor) { return .proven }
        if let failure = prover.conversation.refused[factor] { return .refused(failure) }
        if let failure = try obstacle(to: factor, prover) { return .impossible(failure) }
        return .askable
    }

    /// Whether the enrolment is another one than the gate's, also by what a reader has now.
    private func isEnrolmentChanged(
        since gate: [UInt8],
        _ surroundings: Surroundings
    ) throws(KeychainError) -> Bool {
        try adoptEnrolments(of: surroundings)
        return try fromDevice(try device.isEnrolmentChanged(since: gate))
    }

    /// What keeps a factor from being proven now; nil if nothing does.
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

    /// What a program may know of the device's biometry.
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

// What was answered.
extension DeviceSession {
    /// Judges an answer: a right one adds its keys to the conversation.
    ///
    /// A typed passcode is tried by `beginProof` and `finishProof` instead.
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

    /// Whether an answer counts: none does once the device was locked.
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

    /// Notes why a factor is not proven.
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

// A passcode that was typed: counted, stretched with no lock held, and then tried.
extension DeviceSession {
    /// Counts the attempt.
    ///
    /// - Returns: nil if none is made; the conversation then tells why.
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

    /// Makes the attempt; who was locked out meanwhile has not answered.
    ///
    /// - Returns: Another attempt, if there is another passcode by now; else nil.
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

// What a context asks by itself.
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

    /// Takes an enrolled face for the right one, as Apple's iOS Simulator does
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

    /// Keeps what a call has proven for the next ones of its context.
    mutating func keepProofs(_ conversation: Conversation, _ context: ContextReference?) {
        // A context that ended meanwhile has been forgotten, and stays so.
        guard let context, context.reuse > .zero, conversation.outcome == nil,
            !contextEnds.hasEnded(context)
        else { return }
        contexts.keep(match: conversation.proof, for: context, environment)
    }
}
