import DataProtection
import KeychainModel

// Invariants   (1) A context without a proof takes no memory here.
//              (2) Whatever is kept has a place in the budget of the person, so that nobody can
//                  make a daemon keep proofs without end.
//              (3) A password that comes with every call of its context is not kept.

/// What was proven for each context.
struct KeptProofs: Sendable {
    private struct Entry: Sendable {
        var proof = ContextProof()
        var place: KeptPlace?
    }

    private var entries: [SessionID: Entry] = [:]

    var isEmpty: Bool { entries.isEmpty }

    /// What holds now for a context; nil if nothing was proven for it.
    func proof(of context: ContextReference, at now: DeviceInstant) -> Proof? {
        entries[context.session]?.proof.proof(reusing: context.reuse, at: now)
    }

    /// Keeps what an evaluation has proven.
    ///
    /// - Throws: `errSecAllocate` if the person has no room left for it.
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

    /// Keeps what a match in a call has proven, if the person has room for it: the call itself has
    /// succeeded.
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
