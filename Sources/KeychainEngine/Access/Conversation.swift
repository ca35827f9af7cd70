import DataProtection
import KeychainModel

/// What one call has learned of the people it asked.
///
/// It belongs to the call, not to the engine, which nobody has to hold while somebody thinks.
package struct Conversation: Sendable {
    /// What was proven since the call began.
    var proof = Proof()
    /// What was asked for and not proven.
    var refused: [Factor: AuthenticationFailure] = [:]
    /// What the password of the gates that the call makes was stretched into.
    var newPassword: StretchedPassword?
    /// Set once the call cannot succeed any more.
    var outcome: AuthenticationFailure?
    /// What is around the device, once a call needs it: looked at while no lock is held.
    var surroundings: Surroundings?

    /// Nobody was asked yet.
    package init() {}

    /// Nobody was asked yet, and it is known what is around the device.
    init(in surroundings: Surroundings?) { self.surroundings = surroundings }

    /// What is around the device.
    ///
    /// - Throws: `surroundings` while nobody has looked: the lock is then left, and the call made
    ///   again.
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

    /// Notes that a face or finger, or another factor, was not proven.
    mutating func refuse(_ factor: Factor, _ failure: AuthenticationFailure) {
        let refusedFactors: [Factor] =
            factor.isBiometric ? [.biometry, .currentBiometry] : [factor]
        for factor in refusedFactors { refused[factor] = failure }
    }
}

/// What an operation has to prove a constraint with: terms, prompts, and the answers so far.
struct Prover: Sendable {
    let terms: AuthenticationTerms
    let canPrompt: Bool
    let conversation: Conversation
    /// Whether a program asks for the person alone, and can offer another way itself.
    var isPolicy = false

    /// Whether a prompt may be shown.
    var mayPrompt: Bool { canPrompt && terms.allowsPrompt }

    /// What is around the device, or the error that has somebody look.
    func surroundings() throws(KeychainError) -> Surroundings {
        try conversation.knownSurroundings()
    }
}

/// What was proven for one context, and for how long it holds.
struct ContextProof: Sendable {
    private var proof = Proof()
    /// Proven by an evaluation: holds until the context ends or the device is locked.
    private var evaluated: Set<Factor> = []
    /// Proven by a match in a call: holds for the reuse duration.
    private var matchedAt: DeviceInstant?

    /// What a proof takes at most beside its keys: entries, objects, a place in the budget.
    private static let overheadByteCount = 1024

    var isEmpty: Bool { proof.factors.isEmpty }

    /// How much memory it takes at most; a key's memory is at most twice as large as the key.
    var byteCount: Int { Self.overheadByteCount + 2 * proof.keyByteCount }

    /// What holds now.
    func proof(reusing duration: Duration, at now: DeviceInstant) -> Proof {
        var holding = proof
        let elapsed = matchedAt.flatMap { now.elapsed(since: $0) }
        let isReusable = duration > .zero && (elapsed.map { $0 <= duration } ?? false)
        for factor in proof.factors where !evaluated.contains(factor) && !isReusable {
            holding.forget(factor)
        }
        return holding
    }

    /// Keeps what an evaluation has proven.
    mutating func keep(evaluated new: Proof) {
        proof.adopt(new)
        evaluated.formUnion(new.factors)
    }

    /// Keeps what a match in a call has proven.
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
