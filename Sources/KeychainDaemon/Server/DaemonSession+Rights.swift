import CallerEvidence
import KeychainEngine
import KeychainMessages
import KeychainModel

// Who may do what: the rows of `RequestFacts`, and nothing else.
extension DaemonSession {
    /// Refuses what the row of a request does not let this program ask for, or not yet.
    ///
    /// A passcode in the request is verified by whoever carries it out: the engine, grants or
    /// moves. A daemon of one account asks for no passcode before: every program of the account
    /// can open the files themselves.
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

    /// Refuses a program that the row does not name.
    func requireAsker(_ asker: RequestFacts.Asker) throws(KeychainError) {
        switch asker {
        case .anyProgram: return
        case .command: guard caller.isCommand else { throw .only("keychainctl", caller) }
        case .synchronizer:
            guard caller.isSynchronizer else { throw .only("keychain-sync", caller) }
        // The account's prompts know how the daemon tells its companions.
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
        // Moves know what was touched.
        case .neverTouched: return false
        }
    }

    /// Whether a person consented before: who founded or joined a circle proved the passcode, and
    /// what keeps it in step afterwards runs without anybody.
    ///
    /// The consent is the records of the circle, and ends with them.
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

    /// That of `keychain-sync`.
    private static let synchronizerIdentifier = "keychain-sync"

    /// Whether it is the command, which may do what other programs may not.
    var isCommand: Bool { entitlements.applicationIdentifier == Self.commandIdentifier }

    /// Whether it keeps the keychain in step with other devices, which nothing else may.
    var isSynchronizer: Bool { entitlements.applicationIdentifier == Self.synchronizerIdentifier }
}

extension KeychainError {
    /// The refusal of any program but one.
    static func only(_ program: String, _ caller: JudgedCaller) -> KeychainError {
        let reason =
            "only \(program) may do this, and the daemon takes this program for"
            + " \(QuotedText.of(caller.name)) (\(caller.level.word))"
        return KeychainError(.missingEntitlement, reason)
    }
}
