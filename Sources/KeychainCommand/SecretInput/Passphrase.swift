import KeychainModel
import Secrets

/// The passphrase of a file: from the command line, or else from one prompt when it is needed.
final class Passphrase {
    private let text: String?
    private let context: CommandContext
    private var asked: SharedSecret?

    /// Takes the value of `-P`, if present.
    init(_ arguments: Arguments, _ context: CommandContext) {
        text = arguments[.passphrase]
        self.context = context
    }

    /// Whether the passphrase is on the command line.
    var isGiven: Bool { text != nil }

    /// Returns the passphrase of an existing file.
    ///
    /// - Throws: The errors of `SecretInput.line(called:)`.
    func known() throws(CommandFailure) -> SharedSecret {
        try passphrase { input throws(CommandFailure) in try input.line(called: "Passphrase") }
    }

    /// Returns the passphrase for a new file; the user types it twice.
    ///
    /// - Throws: The errors of `SecretInput.newLine(called:)`; `errSecParam` for an empty
    ///   passphrase, which would protect nothing.
    func new() throws(CommandFailure) -> SharedSecret {
        let new = try passphrase { input throws(CommandFailure) in
            try input.newLine(called: "Passphrase")
        }
        guard new.secret.byteCount > 0 else {
            throw .keychain(
                KeychainError(.param, "the passphrase is empty: give at least one character")
            )
        }
        return new
    }

    private func passphrase(
        _ ask: (SecretInput) throws(CommandFailure) -> SharedSecret
    ) throws(CommandFailure) -> SharedSecret {
        if let asked { return asked }
        let found: SharedSecret
        if let text {
            try context.warnOfVisibleSecret("passphrase")
            found = SharedSecret(Secret(copying: text.utf8))
        } else {
            found = try ask(SecretInput(context.terminal))
        }
        asked = found
        return found
    }
}
