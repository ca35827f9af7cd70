import KeychainModel

// ★ Table: the everyday commands: make a password, find an item, change one.
extension CommandTable {
    static let everyday: [Command] = [
        Command(
            "generate",
            "make a password or a passphrase, and store it unseen",
            options: OptionTable.generate,
            remarks: [
                "It writes the password, and to standard error its strength. A password of n bits",
                "is one of 2^n that are all equally likely. It has each chosen kind of characters.",
                "--words takes its words from the system's list: those of 3 to 8 small letters.",
                "With --store it writes no password. -U gives an item that exists a new one.",
            ],
            example: "keychainctl generate --words 6 --store -s mail -a alice",
            run: Generate.run
        ),
        Command(
            "search",
            "list items by words in their attributes",
            options: OptionTable.listing,
            operands: .several("word"),
            remarks: [
                "It shows the items of every class that have all the words, in any attribute and",
                "in any case of letters. It never reads a secret, and never prompts.",
                "While the keychain is locked, it names the items that it cannot search.",
            ],
            example: "keychainctl search alice",
            run: SearchItems.run
        ),
        Command(
            "edit",
            "change a password's attributes, or the password itself",
            options: OptionTable.edit,
            remarks: [
                "Name the item with the options of find-generic-password, or with --server. Say",
                "with --set- options what changes; an empty value removes a comment or a kind.",
                "-w prompts for a new password twice, or reads a pipe.",
                "--editor lends the attributes to $VISUAL or $EDITOR, and with -w the password.",
                "The editor's copy is in memory (/dev/shm) and goes when the editor ends. If a",
                "change could not be stored, the copy stays, and a message names it.",
                "At a terminal, edit without changes is edit --editor.",
                "All changes happen in one step. What you do not name stays as it is.",
            ],
            example: "keychainctl edit -s mail -a alice --set-comment 'the old provider'",
            run: EditItem.run
        ),
    ]
}

extension OptionTable {
    /// The options of `generate --store` that describe the new item.
    static let storing: [CommandOption] = generic + described + placed + [serverByName]

    static let generate: [CommandOption] =
        [
            .init(.length, ["--length", "-n"], .required("number"), "this many characters [20]"),
            .init(
                .characters,
                ["--characters"],
                .required("kinds"),
                "use these kinds of characters: "
                    + Generate.classes.map(\.name).joined(separator: ",") + " [all]"
            ),
            .init(.words, ["--words"], .required("number"), "make a passphrase of so many words"),
            .init(
                .dictionary,
                ["--dictionary"],
                .required("file"),
                "take the words from this file, one a line [\(WordList.path)]"
            ),
            .init(.raw, ["--raw"], .none, "write no line end, and only to a file or pipe"),
            .init(.store, ["--store"], .none, "store it in an item, and do not write it"),
            .init(.update, ["-U"], .none, "with --store: change the item if it exists already"),
        ] + storing

    static let edit: [CommandOption] =
        generic + described + placed + [
            serverByName,
            .init(.onlyPassword, ["-w"], .none, "store a new password, from a prompt or a pipe"),
            .init(.editor, ["--editor"], .none, "edit the attributes, or with -w the password"),
            .init(.allowEmpty, ["--allow-empty"], .none, "accept an empty password"),
        ] + changes

    /// The options of `edit` that name the changes.
    static let changes: [CommandOption] = [
        change(.newLabel, "label", .text(.label)),
        change(.newAccount, "account", .text(.account)),
        change(.newService, "service", .text(.service)),
        change(.newServer, "server", .text(.server)),
        change(.newComment, "comment", .text(.comment)),
        change(.newKind, "kind", .text(.description)),
        .init(
            .newAccessible,
            ["--set-accessible"],
            .required("when"),
            "use this accessibility from now on, such as AfterFirstUnlock",
            sets: .accessible
        ),
    ]

    private static func change(
        _ name: CommandOption.Name,
        _ word: String,
        _ target: AttributeTarget
    ) -> CommandOption {
        let help = "use this \(word) from now on"
        return .init(name, ["--set-\(word)"], .required(word), help, sets: target)
    }
}
