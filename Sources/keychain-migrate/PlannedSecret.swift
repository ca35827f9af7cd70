import KeychainMigration
import PlaintextFormats

/// A secret in an old store, with the decision about it.
struct PlannedSecret {
    /// A decision: to move the secret, or to report an outcome at once.
    enum Decision {
        case move(Move, out: any ReturnableSource)
        case report(MoveOutcome)

        static let seemsNoSecret =
            Decision.report(.kept("it does not look like a secret; --all moves it"))
    }

    /// The path of the file, or the name of another store.
    let from: String
    /// The line on which the secret begins; nil if the format has no lines.
    var line: Int?
    /// The secret's purpose; empty for a report about a whole file.
    let what: String
    /// The destination, in words.
    let to: String
    /// Instructions for tools that need the secret; nil if there are none.
    var toolInstructions: String?
    var decision: Decision
    /// The record that moves as a whole, unique among all files; nil for a single secret.
    var record: String?
    /// Whether the secret is in a file of git's.
    var isForGit = false
    /// Whether the command can handle the format.
    private(set) var isHandled = true

    var move: Move? {
        guard case .move(let move, _) = decision else { return nil }
        return move
    }

    /// Reports a file with secrets that stays with the program that reads it.
    static func notHandled(_ file: String, because reason: String) -> PlannedSecret {
        var secret = PlannedSecret(from: file, what: "", to: "", decision: .report(.kept(reason)))
        secret.isHandled = false
        return secret
    }

    /// Reports a malformed line, which stays in the file.
    static func oddity(_ oddity: PlaintextError, of file: String) -> PlannedSecret {
        PlannedSecret(
            from: file,
            line: oddity.line,
            what: "",
            to: "",
            decision: .report(.kept(oddity.reason))
        )
    }

    /// Whether the report is about a whole file.
    var isWholeFile: Bool { what.isEmpty && line == nil }

    /// Reports a file from which nothing can move.
    static func failure(_ problem: SourceFailure, of file: String) -> PlannedSecret {
        PlannedSecret(
            from: file,
            what: "",
            to: "",
            decision: .report(.failed(.source(problem)))
        )
    }
}

extension MigrateCommand.Dependencies {
    /// Returns the decision to move a value to its item in the keychain.
    func moving(
        _ key: String,
        from source: any ReturnableSource,
        to target: SecretTarget
    ) -> PlannedSecret.Decision {
        .move(Move(key, from: between(source), to: target.item(in: keychain)), out: source)
    }
}
