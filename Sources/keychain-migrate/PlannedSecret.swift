import KeychainMigration
import PlaintextFormats

/// A secret that was found, and what is to become of it.
struct PlannedSecret {
    /// Either it is moved, or it is settled already what the report says.
    enum Decision {
        case move(Move, out: any ReturnableSource)
        case report(MoveOutcome)

        static let seemsNoSecret =
            Decision.report(.kept("it does not look like a secret; --all moves it"))
    }

    /// The file, or another store.
    let from: String
    /// The line it begins on; nil where the format has none.
    var line: Int?
    /// What the secret is for; empty for what is about the whole file.
    let what: String
    /// Where it goes, in words.
    let to: String
    /// How tools get it back; nil where nothing is special.
    var toolInstructions: String?
    var decision: Decision
    /// The record that moves whole or not at all, among all files; nil for a secret by itself.
    var record: String?
    /// Whether it is in a file of git's.
    var isForGit = false
    /// Whether the command knows the format at all.
    private(set) var isHandled = true

    var move: Move? {
        guard case .move(let move, _) = decision else { return nil }
        return move
    }

    /// A file that is known to hold secrets, and is left to the program that reads it.
    static func notHandled(_ file: String, because reason: String) -> PlannedSecret {
        var secret = PlannedSecret(from: file, what: "", to: "", decision: .report(.kept(reason)))
        secret.isHandled = false
        return secret
    }

    /// A line that makes no sense, and stays.
    static func oddity(_ oddity: PlaintextError, of file: String) -> PlannedSecret {
        PlannedSecret(
            from: file,
            line: oddity.line,
            what: "",
            to: "",
            decision: .report(.kept(oddity.reason))
        )
    }

    /// Whether it stands for a file of which nothing is known.
    var isWholeFile: Bool { what.isEmpty && line == nil }

    /// A file that nothing of can be moved.
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
    /// The decision to move a value to where it belongs in the keychain.
    func moving(
        _ key: String,
        from source: any ReturnableSource,
        to target: SecretTarget
    ) -> PlannedSecret.Decision {
        .move(Move(key, from: between(source), to: target.item(in: keychain)), out: source)
    }
}
