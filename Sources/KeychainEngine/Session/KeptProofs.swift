import DataProtection
import KeychainModel

// Invariants   (1) A context without a proof takes no memory here.
//              (2) Each kept proof has a place in the account's budget, so that no program can
//                  make a daemon keep proofs without limit.
//              (3) A password that comes with every call of its context is not kept.

/// The proofs of each context.
struct KeptProofs: Sendable {
    private struct Entry: Sendable {
        var proof = ContextProof()
        var place: KeptPlace?
    }

    private var entries: [SessionID: Entry] = [:]

    var isEmpty: Bool { entries.isEmpty }

    /// Returns the proofs of a context that still hold; nil if it never had one.
    func proof(of context: ContextReference, at now: DeviceInstant) -> Proof? {
        entries[context.session]?.proof.proof(reusing: context.reuse, at: now)
    }

    /// Keeps the proofs of an evaluation.
    ///
    /// - Throws: `errSecAllocate` if the account's budget is used up.
    mutating func keep(
        evaluated proof: Proof,
        for context: ContextReference,
        _ environment: EngineEnvironment
    ) throws(KeychainError) {
        var lasting = proof
        if context.applicationPassword != nil { lasting.forget(.applicationPassword) }
        guard !lasting.factors.isEmpty else { return }
        var entry = entries[context.session] ?? Entry()
        entry.proof.keep(evaluated: lasting)
        entry.place = try environment.place(entry.proof.byteCount)
        entries[context.session] = entry
    }

    /// Keeps a biometric match of a call, if the account's budget has room.
    ///
    /// Without room it does nothing, because the call itself has succeeded.
    mutating func keep(
        match proof: Proof,
        for context: ContextReference,
        _ environment: EngineEnvironment
    ) {
        var entry = entries[context.session] ?? Entry()
        entry.proof.keep(match: proof, at: environment.instant())
        guard !entry.proof.isEmpty else { return }
        do throws(KeychainError) {
            entry.place = try environment.place(entry.proof.byteCount)
        } catch { return }
        entries[context.session] = entry
    }

    /// Forgets a context.
    mutating func end(_ context: SessionID) { entries[context] = nil }
}
