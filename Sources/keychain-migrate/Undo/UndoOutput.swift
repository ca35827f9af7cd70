import KeychainCommand
import KeychainModel
import PlaintextFormats

/// The report of an undo about each secret, without values.
struct UndoOutput {
    /// One secret and its outcome.
    struct Row {
        let place: String
        let taken: TakenSecret
        let outcome: UndoOutcome
        let deletion: Deletion
        /// The value of `--from` for the store.
        let format: String
        /// The mode to which the file went back, because others had got more rights; else nil.
        var narrowedMode: UInt32?

        init(
            _ place: String,
            _ format: String,
            _ taken: TakenSecret,
            _ outcome: UndoOutcome,
            _ deletion: Deletion
        ) {
            self.place = place
            self.format = format
            self.taken = taken
            self.outcome = outcome
            self.deletion = deletion
        }

        var words: String { outcome.words + deletion.words }
    }

    /// The fate of the item in the keychain afterwards.
    enum Deletion {
        case none, planned, done

        fileprivate var words: String {
            switch self {
            case .none: ""
            case .planned: ", item would be deleted"
            case .done: ", item deleted"
            }
        }
    }

    let rows: [Row]
    let home: String

    /// The report as a table.
    var page: Page {
        guard !rows.isEmpty else { return Page(line: "nothing to write back was found") }
        let cells = rows.map { row in
            let place = ResolvedPath.short(row.place, home: home)
            return [place, row.taken.what, SecretTarget.words(of: row.taken.item), row.words]
        }
        return TextTable.page([["TO", "WHAT", "FROM", "OUTCOME"]] + cells)
    }

    /// The report as JSON.
    var json: JSONValue {
        .list(
            rows.map { row in
                .object([
                    "to": .text(row.place),
                    "what": .text(row.taken.what),
                    "from": .text(SecretTarget.words(of: row.taken.item)),
                    "outcome": .text(row.outcome.word),
                    "detail": .text(row.words),
                    "itemDeleted": .flag(row.deletion == .done),
                ])
            }
        )
    }

    /// A sentence for each file that lost rights which it had got since the migration.
    var narrowings: [String] {
        var known = Set<String>()
        return rows.filter { $0.narrowedMode != nil && known.insert($0.place).inserted }.map {
            row in
            let mode = String(row.narrowedMode ?? 0, radix: 8)
            return "\(ResolvedPath.short(row.place, home: home)) has the mode \(mode) again, as"
                + " when its secrets were taken: it had got more rights since"
        }
    }

    /// Advice about items that stay in the keychain; nil if there are none.
    var advice: String? {
        guard rows.contains(where: { $0.outcome == .writtenBack && $0.deletion == .none }) else {
            return nil
        }
        return "the items also stay in the keychain; "
            + "keychainctl migrate --undo --delete-items deletes them"
    }

    /// A setting that the user may want to remove again; nil if there is none.
    var setting: String? {
        let docker = rows.first { $0.outcome == .writtenBack && $0.format == "docker" }
        return docker.map { row in
            let place = ResolvedPath.short(row.place, home: home)
            return "docker asks the keychain as long as \"credsStore\": \"keychain\" is in \(place)"
        }
    }

    /// The failure for the first secret that is not back; nil if all are.
    var failure: CommandFailure? {
        let problems = rows.map(\.outcome).filter { !$0.isSettled }
        guard let first = problems.first else { return nil }
        let reason = "\(problems.count) of \(rows.count) are not written back; see above"
        return .keychain(KeychainError(first.status, reason))
    }
}
