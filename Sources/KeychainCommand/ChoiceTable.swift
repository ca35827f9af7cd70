import KeychainModel
import PlaintextFormats

// ★ Table: the words that options take. The man pages and the shells' completions read it.

/// The words that an option takes, if its placeholder does not list them.
package enum ChoiceTable {
    /// One row for each option; a row without a command applies to every command.
    static let rows: [(command: String?, option: CommandOption.Name, choices: Choices)] = [
        (nil, .accessible, .words(ProtectionName.all)),
        (nil, .require, .list(AccessControlText.demands)),
        (nil, .fileClass, .words(FileClass.allCases.map(\.name))),
        ("import", .itemType, .words(ImportItems.types)),
        ("import", .format, .words(ImportItems.formats)),
        ("export", .itemType, .words(ExportedItems.types)),
        ("export", .format, .words(ExportFormat.allCases.map(\.rawValue))),
        ("find-identity", .policy, .words(IdentityPolicy.table.map(\.word))),
        ("find-key", .keyType, .words(KeyTypeName.classNames)),
        ("create-keypair", .algorithm, .words(CreateKeyPair.algorithmNames)),
        ("explain", .itemClass, .words(ExplainStatus.classNames)),
        ("explain", .keyClass, .words(KeyTypeName.classNames)),
        ("explain", .algorithm, .words(KeyTypeName.typeNames)),
        ("ssh", .algorithm, .words(SecureShell.typeNames)),
        ("generate", .characters, .list(Generate.classes.map(\.name))),
        ("edit", .newAccessible, .words(ProtectionName.all)),
        ("lock-keychain", .lockEvent, .words(LockKeychain.eventNames)),
        ("migrate", .from, .words(migrationFormats)),
        ("simulate", .behavior, .words(["documented", "appleSource", "both"])),
        ("simulate", .biometry, .words(["none", "touchID", "faceID"])),
    ]

    /// The words that `migrate --from` takes.
    package static let migrationFormats =
        PlaintextFormat.all.map(\.name) + ["plist", "container", "secret-service"]

    /// Returns the completions that a shell can offer for the value of an option.
    static func choices(of option: CommandOption, in command: Command) -> Choices {
        let row = rows.first { row in
            row.option == option.name && (row.command == nil || row.command == command.name)
        }
        if let row { return row.choices }
        switch option.value {
        case .none: return .unknown
        case .required(let placeholder), .optional(let placeholder):
            return Choices(placeholder: placeholder)
        }
    }
}
