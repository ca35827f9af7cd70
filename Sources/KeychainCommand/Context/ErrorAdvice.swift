import KeychainHost
import KeychainMessages
import KeychainModel

// ★ Table: the advice at the end of each error's message.

/// Advice for the user about an error of the keychain.
struct ErrorAdvice: Sendable {
    private let applies: @Sendable (KeychainError, DeviceStatus) -> Bool
    private let advice: String

    private init(
        _ advice: String,
        _ applies: @escaping @Sendable (KeychainError, DeviceStatus) -> Bool
    ) {
        self.applies = applies
        self.advice = advice
    }

    private static let table: [ErrorAdvice] = [
        ErrorAdvice("run the command at a terminal, or install a pinentry program") { error, _ in
            error.failure == .notInteractive
        },
        ErrorAdvice("run keychainctl unlock-keychain") { error, status in
            error.isAboutLock && status.lockState == .locked
        },
        ErrorAdvice(
            "run keychainctl unlock-keychain; if no user can type the passcode, add --unlock-with"
                + " or set \(UnlockSource.variable)"
        ) { error, status in
            error.isAboutLock && status.lockState == .beforeFirstUnlock
        },
        ErrorAdvice("run keychainctl passcode set") { error, status in
            let isAboutPasscode = error.status == .authFailed || error.failure == .passcodeNotSet
            return isAboutPasscode && !status.isPasscodeSet
        },
        ErrorAdvice("keychainctl dump-keychain lists all items") { error, _ in
            error.status == .itemNotFound
        },
        ErrorAdvice("keychainctl status shows the groups that this command may use, and why") {
            error,
            _ in
            error.status == .missingEntitlement
        },
    ]

    /// Returns the error with advice at its end that fits the keychain's state.
    static func added(to error: KeychainError, _ status: DeviceStatus) -> KeychainError {
        guard let row = table.first(where: { $0.applies(error, status) }) else { return error }
        return KeychainError(error.status, "\(error.reason); \(row.advice)", cause: error.cause)
    }
}

extension KeychainError {
    /// Whether an unlock could help.
    ///
    /// A prompt that could not appear has a cause of its own.
    fileprivate var isAboutLock: Bool { status == .interactionNotAllowed && failure == nil }
}

extension CommandContext {
    /// Returns the error with advice; returns it unchanged if the keychain's state is unknown.
    func advised(_ error: KeychainError) -> KeychainError {
        guard let endpoint = try? connected(),
            case .status(let status)? = try? endpoint.send(.status)
        else { return error }
        return ErrorAdvice.added(to: error, status)
    }
}
