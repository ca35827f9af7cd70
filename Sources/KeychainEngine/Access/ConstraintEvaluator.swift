import KeychainModel

/// How a factor stands in a call.
enum FactorState: Sendable, Equatable {
    /// It is proven.
    case proven
    /// It can be asked for.
    case askable
    /// It was asked for in this call, and not proven.
    case refused(AuthenticationFailure)
    /// It cannot be proven now.
    case impossible(AuthenticationFailure)
}

/// What is left to do about a constraint.
enum Verdict: Sendable, Equatable {
    case satisfied
    /// Ask for a factor; whether another way remains if it is not proven.
    case ask(Factor, hasFallback: Bool)
    case denied(AuthenticationFailure)
}

/// Decides what a constraint still needs: pure, one step at a time.
///
/// - Source: requirements SAC-05 to SAC-12, BIO-20.
struct ConstraintEvaluator {
    /// The state of a factor.
    let factorState: (Factor) -> FactorState

    /// The next step towards a constraint.
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

    /// The earliest alternative that can be taken; the person's own refusal is the best reason why
    /// none can.
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

    /// What was refused by the person; that another way was chosen counts least.
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
