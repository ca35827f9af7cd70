import DataProtection
import KeychainModel

/// The proofs and refusals that one call has collected from its prompts.
///
/// It belongs to the call, so the engine stays free while a user thinks.
package struct Conversation: Sendable {
    /// The factors proven since the call began.
    var proof = Proof()
    /// The factors that the call prompted for without success.
    var refused: [Factor: AuthenticationFailure] = [:]
    /// The stretched password for the gates that the call creates.
    var newPassword: StretchedPassword?
    /// The failure with which the call ends, once it can no longer succeed.
    var outcome: AuthenticationFailure?
    /// The device's surroundings; nil until a call needs them and reads them without a lock.
    var surroundings: Surroundings?

    /// Creates a conversation without a prompt so far.
    package init() {}

    /// Creates a conversation without a prompt so far, in known surroundings.
    init(in surroundings: Surroundings?) { self.surroundings = surroundings }

    /// Returns the device's surroundings.
    ///
    /// - Throws: An error with the cause `surroundings` if they were not read yet. The caller
    ///   then leaves the lock, reads them and repeats the call.
    func knownSurroundings() throws(KeychainError) -> Surroundings {
        guard let surroundings else {
            throw KeychainError(
                .internal,
                "the device's surroundings are not known yet",
                cause: .surroundings
            )
        }
        return surroundings
    }

    /// Records that a factor was not proven; a biometric failure counts for both biometric factors.
    mutating func refuse(_ factor: Factor, _ failure: AuthenticationFailure) {
        let refusedFactors: [Factor] =
            factor.isBiometric ? [.biometry, .currentBiometry] : [factor]
        for factor in refusedFactors { refused[factor] = failure }
    }
}

/// The inputs with which an operation proves a constraint: terms, prompts, and answers so far.
struct Prover: Sendable {
    let terms: AuthenticationTerms
    let canPrompt: Bool
    let conversation: Conversation
    /// Whether a program evaluates a policy, and can offer a fallback itself.
    var isPolicy = false

    /// Whether the operation may show a prompt.
    var mayPrompt: Bool { canPrompt && terms.allowsPrompt }

    /// Returns the device's surroundings; throws if they were not read yet.
    func surroundings() throws(KeychainError) -> Surroundings {
        try conversation.knownSurroundings()
    }
}

/// The factors proven for one context, with the time for which each proof holds.
struct ContextProof: Sendable {
    private var proof = Proof()
    /// Factors proven by an evaluation; they hold until the context ends or the device locks.
    private var evaluated: Set<Factor> = []
    /// The moment of the last biometric match in a call; it holds for the reuse duration.
    private var matchedAt: DeviceInstant?

    /// The bytes that a proof takes besides its keys: entries, objects, a place in the budget.
    private static let overheadByteCount = 1024

    var isEmpty: Bool { proof.factors.isEmpty }

    /// An upper bound of its memory in bytes; a key's memory is at most twice as large as the key.
    var byteCount: Int { Self.overheadByteCount + 2 * proof.keyByteCount }

    /// Returns the proof without the factors that no longer hold.
    func proof(reusing duration: Duration, at now: DeviceInstant) -> Proof {
        var holding = proof
        let elapsed = matchedAt.flatMap { now.elapsed(since: $0) }
        let isReusable = duration > .zero && (elapsed.map { $0 <= duration } ?? false)
        for factor in proof.factors where !evaluated.contains(factor) && !isReusable {
            holding.forget(factor)
        }
        return holding
    }

    /// Adds the factors that an evaluation has proven.
    mutating func keep(evaluated new: Proof) {
        proof.adopt(new)
        evaluated.formUnion(new.factors)
    }

    /// Adds the biometric factors that a match in a call has proven.
    mutating func keep(match new: Proof, at now: DeviceInstant) {
        for factor in proof.factors where factor.isBiometric && !evaluated.contains(factor) {
            proof.forget(factor)
        }
        var match = new
        for factor in new.factors where !factor.isBiometric { match.forget(factor) }
        guard !match.factors.isEmpty else { return }
        proof.adopt(match)
        matchedAt = now
    }
}
