import KeychainHost
import KeychainMessages
import KeychainModel

/// `lock-keychain`.
enum LockKeychain {
    /// A warning that a keychain without a passcode cannot lock.
    static let noPasscode =
        "warning: the keychain has no passcode, so it stays unlocked; run keychainctl passcode set"

    /// Locks the keychain, or warns that a keychain without a passcode stays unlocked.
    ///
    /// If a directory's keychain does not open, the command locks it nevertheless. A full disk or a
    /// damaged database must not keep it unlocked for programs that opened it before. A daemon's
    /// keychain is locked only if the daemon confirms it.
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
        let status: DeviceStatus
        do throws(CommandFailure) { status = try context.status() } catch .keychain(let error) {
            // The lock itself waits for nobody, but reading the state does.
            try context.note("locked; the state cannot be read now: \(error.reason)")
            return
        }
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
            // If this process has no keychain, the first error explains more.
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
    /// The values of `--when`.
    static var eventNames: [String] { Event.allCases.map(\.rawValue) }

    /// The event that made another program run this command.
    private enum Event: String, CaseIterable {
        case sleep, logout, session

        /// Reads `--when`; nil without the option.
        ///
        /// - Throws: `CommandFailure.usage` for an unknown word.
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

        /// Whether the settings lock the keychain at this event; true if they cannot be read.
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
