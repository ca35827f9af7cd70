import KeychainHost
import KeychainModel

/// `lock-keychain`.
enum LockKeychain {
    /// Without a passcode there is no key to take away.
    static let noPasscode =
        "warning: the keychain has no passcode, so it stays unlocked; run keychainctl passcode set"

    /// Locks; without a passcode there is nothing that could keep the keys away, and it says so.
    ///
    /// A keychain that cannot be opened is locked all the same: a full disk or a damaged database
    /// must not keep it open for the programs that opened it before.
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
        if try context.status().lockState == .unlocked {
            try context.note(Self.noPasscode)
        } else if let event {
            try context.note("locked, because \(event.words)")
        }
    }

    private static func lock(
        in context: CommandContext,
        despite error: KeychainError
    ) throws(CommandFailure) {
        try CommandFailure.wrapping(try context.lockUnopened())
        try context.note(
            "warning: the keychain is locked now, but it cannot be opened: \(error.reason)"
        )
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
