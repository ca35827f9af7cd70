import KeychainModel

/// The state of a factor during one call.
enum FactorState: Sendable, Equatable {
    /// The user has proven it.
    case proven
    /// The call can still prompt for it.
    case askable
    /// The call prompted for it, and the user did not prove it.
    case refused(AuthenticationFailure)
    /// It cannot be proven now.
    case impossible(AuthenticationFailure)
}

/// The next step that a constraint needs.
enum Verdict: Sendable, Equatable {
    case satisfied
    /// The call has to prompt for the factor; `hasFallback` says whether another factor would do.
    case ask(Factor, hasFallback: Bool)
    case denied(AuthenticationFailure)
}

/// A pure function from the states of the factors to the next step of a constraint.
///
/// - Source: requirements SAC-05 to SAC-12, BIO-20.
struct ConstraintEvaluator {
    /// The state of a factor.
    let factorState: (Factor) -> FactorState

    /// Returns the next step towards a constraint.
    func verdict(on constraint: Constraint) -> Verdict {
        switch constraint {
        case .factor(let factor): verdict(on: factor)
        case .any(let parts): firstWay(among: parts)
        case .all(let parts): everyWay(through: parts)
        }
    }

    private func verdict(on factor: Factor) -> Verdict {
        switch factorState(factor) {
        case .proven: .satisfied
        case .askable: .ask(factor, hasFallback: false)
        case .refused(let failure), .impossible(let failure): .denied(failure)
        }
    }

    /// Returns the first alternative that is proven or that the call can prompt for.
    ///
    /// If there is none, the denial names the user's own refusal before any other reason.
    private func firstWay(among parts: [Constraint]) -> Verdict {
        let verdicts = parts.map(verdict)
        if verdicts.contains(.satisfied) { return .satisfied }
        let questions = verdicts.enumerated().filter { $0.element.isQuestion }
        if let first = questions.first, case .ask(let factor, let hasFallback) = first.element {
            return .ask(factor, hasFallback: hasFallback || questions.count > 1)
        }
        return .denied(refusal(of: parts) ?? verdicts.last?.failure ?? .authenticationFailed)
    }

    private func everyWay(through parts: [Constraint]) -> Verdict {
        let verdicts = parts.map(verdict)
        let denial = verdicts.first { $0.failure != nil }
        return denial ?? verdicts.first { $0.isQuestion } ?? .satisfied
    }

    /// Returns the user's refusal of a factor; `userFallback` only if there is no other refusal.
    private func refusal(of parts: [Constraint]) -> AuthenticationFailure? {
        let factors = parts.flatMap(\.factors).sorted { $0.rawValue < $1.rawValue }
        let refusals = factors.compactMap { factor in
            if case .refused(let failure) = factorState(factor) { failure } else { nil }
        }
        return refusals.first { $0 != .userFallback } ?? refusals.first
    }
}

extension Verdict {
    fileprivate var isQuestion: Bool { if case .ask = self { true } else { false } }

    fileprivate var failure: AuthenticationFailure? {
        if case .denied(let failure) = self { failure } else { nil }
    }
}
