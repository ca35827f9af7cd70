import KeychainHost
import KeychainModel

/// `lock-keychain`.
enum LockKeychain {
    /// Without a passcode there is no key to take away.
    static let noPasscode =
        "warning: the keychain has no passcode, so it stays unlocked; run keychainctl passcode set"

    /// Locks; without a passcode there is nothing that could keep the keys away, and it says so.
    ///
    /// A directory's keychain that cannot be opened is locked all the same: a full disk or a
    /// damaged database must not keep it open for the programs that opened it before. The keychain
    /// of a daemon is locked only if the daemon says so.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let event = try Event(arguments)
        if let event, try !event.locks(context) { return }
        do throws(CommandFailure) {
            try context.change(.lock)
        } catch .keychain(let error) {
            try lock(in: context, despite: error)
            return
        }
        let status = try context.status()
        if !status.isPasscodeSet {
            try context.note(Self.noPasscode)
        } else if status.lockState == .unlocked {
            try context.note(Self.unlockedAgain)
        } else if let event {
            try context.note("locked, because \(event.words)")
        }
    }

    private static let unlockedAgain =
        "warning: the keychain was locked, and another program has unlocked it since"

    private static func lock(
        in context: CommandContext,
        despite error: KeychainError
    ) throws(CommandFailure) {
        guard !context.isElsewhere else { throw notLocked(error) }
        do throws(KeychainError) { try context.lockUnopened() } catch let second {
            // Without a keychain of this process the first error says more.
            throw notLocked(second.status == .notAvailable ? error : second)
        }
        try context.note(
            "warning: the keychain is locked now, but it cannot be opened: \(error.reason)"
        )
    }

    private static func notLocked(_ error: KeychainError) -> CommandFailure {
        let reason = "the lock failed, so the keychain may still be unlocked: \(error.reason)"
        return .keychain(KeychainError(error.status, reason, cause: error.cause))
    }
}

extension LockKeychain {
    /// What `--when` takes.
    static var eventNames: [String] { Event.allCases.map(\.rawValue) }

    /// What happened, for whoever calls the command when it does.
    private enum Event: String, CaseIterable {
        case sleep, logout, session

        /// - Throws: `CommandFailure.usage` for another word.
        init?(_ arguments: Arguments) throws(CommandFailure) {
            guard let word = try arguments.choice(.lockEvent, "--when", of: eventNames) else {
                return nil
            }
            self.init(rawValue: word)
        }

        var words: String {
            switch self {
            case .sleep: "the machine goes to sleep"
            case .logout: "the last session ended"
            case .session: "a session was locked"
            }
        }

        /// Whether it locks; it does where the settings cannot be read.
        func locks(_ context: CommandContext) throws(CommandFailure) -> Bool {
            let settings: LockSettings
            do throws(CommandFailure) { settings = try context.status().lockSettings } catch {
                return true
            }
            switch self {
            case .sleep: return settings.onSleep
            case .logout: return settings.onLogout
            case .session: return true
            }
        }
    }
}
