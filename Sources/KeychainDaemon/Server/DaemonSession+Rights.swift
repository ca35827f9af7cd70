import CallerEvidence
import KeychainEngine
import KeychainMessages
import KeychainModel

// The rights of programs, only from the rows of `RequestFacts`.
extension DaemonSession {
    /// Throws if the row of a request does not allow it to this program, or not yet.
    ///
    /// The code that carries a request out verifies a passcode in it: the engine, grants or moves.
    /// A daemon of one account requires no earlier proof, because every program of the account can
    /// open the files itself.
    func requireRight(
        to request: Request,
        in keychain: AccountKeychain
    ) throws(KeychainError) {
        let facts = request.verb.facts
        try requireAsker(facts.asker)
        try rules.admit(request, caller)
        switch facts.proof {
        case .none, .accessControl, .passcodeInRequest: return
        case .passcodeInSession(let exemption):
            guard rules.kind == .system else { return }
            if try proofs.isPasscodeProven(of: keychain) { return }
            if let exemption, try isExempt(request, exemption, in: keychain) { return }
            guard try keychain.engine.isPasscodeSet else { throw Self.noPasscode }
            throw KeychainError(
                .authFailed,
                "\(request.verb.word) needs the passcode first: \(facts.reason)"
            )
        }
    }

    /// Throws for a program that the row does not name.
    func requireAsker(_ asker: RequestFacts.Asker) throws(KeychainError) {
        switch asker {
        case .anyProgram: return
        case .command: guard caller.isCommand else { throw .only("keychainctl", caller) }
        case .synchronizer:
            guard caller.isSynchronizer else { throw .only("keychain-sync", caller) }
        // The account's prompts recognize the agent.
        case .agent: return
        case .nobody:
            throw KeychainError(.unimplemented, "this is a daemon, not a simulated device")
        }
    }

    private func isExempt(
        _ request: Request,
        _ exemption: RequestFacts.Exemption,
        in keychain: AccountKeychain
    ) throws(KeychainError) -> Bool {
        switch exemption {
        case .noPasscode: return try !keychain.engine.isPasscodeSet
        case .notWeaker:
            guard case .device(.setLockSettings(let next)) = request else { return false }
            let facts = try keychain.engine.lockFacts()
            return !facts.isPasscodeSet || !next.isWeaker(than: facts.settings)
        case .circleKept: return try isConsentKept(for: request, in: keychain)
        // `MoveRequests` knows which keychains were touched.
        case .neverTouched: return false
        }
    }

    /// Whether a person consented earlier.
    ///
    /// Founding or joining a circle required the passcode, and synchronization then runs without a
    /// user. The consent is the existence of the circle's records, and ends with them.
    private func isConsentKept(
        for request: Request,
        in keychain: AccountKeychain
    ) throws(KeychainError) -> Bool {
        if !keychain.hasCircle.isSet, try hasRecords(keychain) { keychain.hasCircle.set() }
        return keychain.hasCircle.isSet
    }

    private func hasRecords(_ keychain: AccountKeychain) throws(KeychainError) -> Bool {
        let request = Request.synchronization(.records(prefix: [], after: nil))
        let reply = try keychain.engine.perform(request, from: engineCaller(in: keychain))
        guard case .synchronization(.records(let records, _)) = reply else { return false }
        return !records.isEmpty
    }

    private static let noPasscode = KeychainError(
        .authFailed,
        "the keychain has no passcode, so the daemon cannot tell you from a program;"
            + " run keychainctl passcode set first"
    )
}

extension JudgedCaller {
    /// The application identifier of `keychainctl`.
    private static let commandIdentifier = "keychain"

    /// The application identifier of `keychain-sync`.
    private static let synchronizerIdentifier = "keychain-sync"

    /// Whether it is the command, which has rights that other programs lack.
    var isCommand: Bool { entitlements.applicationIdentifier == Self.commandIdentifier }

    /// Whether it is the only program that may synchronize the keychain.
    var isSynchronizer: Bool { entitlements.applicationIdentifier == Self.synchronizerIdentifier }
}

extension KeychainError {
    /// Returns the refusal of all programs but one.
    static func only(_ program: String, _ caller: JudgedCaller) -> KeychainError {
        let reason =
            "only \(program) may do this, and the daemon takes this program for"
            + " \(QuotedText.of(caller.name)) (\(caller.level.word))"
        return KeychainError(.missingEntitlement, reason)
    }
}
