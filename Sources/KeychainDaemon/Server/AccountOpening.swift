import CallerEvidence
import KeychainEngine
import KeychainHost
import KeychainMessages
import KeychainModel
import KeychainPrompts

/// Opens the keychains of a daemon.
struct AccountOpening: Sendable {
    let kind: DaemonKind
    let places: DaemonPlaces
    let environment: ProcessEnvironment
    let companions: CompanionPrograms
    /// The sessions of an account in the foreground.
    let activeSessions: @Sendable (UInt32) -> Set<String>
    let warn: @Sendable (String) -> Void

    /// Opens, or makes, the keychain of an account.
    ///
    /// - Throws: why it cannot be opened.
    func open(_ account: UInt32) throws(KeychainError) -> AccountKeychain {
        switch kind {
        case .system: try openSystem(account)
        case .user: try openOwn(account)
        }
    }

    /// The keychain that the account's programs would have without a daemon.
    private func openOwn(_ account: UInt32) throws(KeychainError) -> AccountKeychain {
        let home =
            if let state = places.state { KeychainHome(directory: state) } else {
                try KeychainHome(environment)
            }
        try HostBehavior.check(environment)
        let settings = try PromptSettings { environment[$0] }
        let reader = try FingerprintReader.reader(
            settings,
            beside: environment.executableDirectory
        )
        let engine = try EmbeddedKeychain.engine(
            home,
            environment,
            terms(reader, sharesSessions: true)
        )
        let headless = HeadlessUnlock(home: home, environment: environment)
        try headless.unlock(engine)
        return keychain(of: account, engine, reader, headless)
    }

    /// A keychain in the daemon's own directory; what was unlocked is in this process alone.
    private func openSystem(_ account: UInt32) throws(KeychainError) -> AccountKeychain {
        let state = places.state ?? DaemonPlaces.systemState
        let engine = try EmbeddedKeychain.engine(
            KeychainHome(directory: "\(state)/\(account)"),
            environment,
            terms(nil, sharesSessions: false)
        )
        return keychain(of: account, engine, nil, nil)
    }

    private func terms(
        _ reader: FingerprintReader?,
        sharesSessions: Bool
    ) -> EmbeddedKeychain.EngineTerms {
        EmbeddedKeychain.EngineTerms(
            sharesSessions: sharesSessions,
            surroundings: {
                reader?.look()
                return Surroundings(reader?.state ?? .absent)
            },
            note: { FindingCollector.current?.note($0) }
        )
    }

    private func keychain(
        of account: UInt32,
        _ engine: Engine,
        _ reader: FingerprintReader?,
        _ headless: HeadlessUnlock?
    ) -> AccountKeychain {
        let activeSessions = activeSessions
        return AccountKeychain(
            account: account,
            engine: engine,
            prompts: PromptBroker(
                companions: companions,
                reader: reader,
                activeSessions: { activeSessions(account) },
                warn: warn
            ),
            rights: PolicyRights(),
            log: NoLog(),
            headless: headless
        )
    }
}

/// The rights that policies give, and no others.
package struct PolicyRights: AccountRights {
    package init() {}

    package func entitlements(of caller: JudgedCaller) -> Entitlements { caller.entitlements }

    package func answer(
        _ request: DaemonRequest,
        for caller: JudgedCaller
    ) throws(KeychainError) -> DaemonReply {
        throw KeychainError(.unimplemented, "this daemon keeps neither grants nor a log")
    }
}

/// Writes nothing down.
package struct NoLog: DecisionLog {
    package init() {}

    package func append(_ line: LogLine) {}

    package func itemDigest(
        _ itemClass: ItemClass,
        _ dictionary: AttributeDictionary,
        isAdd: Bool
    ) -> [UInt8] { [] }
}
