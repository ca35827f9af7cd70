// ★ Table: every command. The parser, the help and the README's list read it; those for keys and
// certificates are in CommandTable+Certificates.swift, those for other tools in
// CommandTable+Tools.swift.

/// The commands, in the order in which the help lists them.
enum CommandTable {
    static let rows: [Command] =
        passwords + store + device + certificates + backups + tools + general

    private static let passwords: [Command] = [
        Command(
            "add-generic-password",
            "store a password for a service",
            options: OptionTable.addGeneric,
            operands: .noKeychain,
            requires: [.account, .service],
            remarks: [inputRemark, "Without -l the label is the service."],
            run: AddPassword(.generic).run
        ),
        Command(
            "find-generic-password",
            "show the first password that matches",
            options: OptionTable.findGeneric,
            operands: .noKeychain,
            remarks: [filterRemark, printRemark],
            run: FindPassword(.generic).run
        ),
        Command(
            "delete-generic-password",
            "delete the first password that matches",
            options: OptionTable.deleteGeneric,
            operands: .noKeychain,
            remarks: [filterRemark],
            run: DeletePassword(.generic).run
        ),
        Command(
            "add-internet-password",
            "store a password for a server",
            options: OptionTable.addInternet,
            operands: .noKeychain,
            requires: [.account, .server],
            remarks: [inputRemark, "Without -l the label is the server."],
            run: AddPassword(.internet).run
        ),
        Command(
            "find-internet-password",
            "show the first password that matches",
            options: OptionTable.findInternet,
            operands: .noKeychain,
            remarks: [printRemark],
            run: FindPassword(.internet).run
        ),
        Command(
            "delete-internet-password",
            "delete the first password that matches",
            options: OptionTable.deleteInternet,
            operands: .noKeychain,
            run: DeletePassword(.internet).run
        ),
        Command(
            "set-access-control",
            "change what opens a password",
            options: OptionTable.setAccessControl,
            remarks: [
                "What opens it: \(AccessControlText.demands.joined(separator: ", "));",
                "several with commas, and or or and between them. Who may open it now is asked.",
                "It is replaced in one step: a crash leaves it as it was, or as it is to be.",
            ],
            run: SetAccessControl.run
        ),
    ]

    private static let store: [Command] = [
        Command(
            "dump-keychain",
            "list all items",
            options: OptionTable.dump,
            operands: .noKeychain,
            remarks: [
                "A terminal gets a table, a file or pipe the dump, unless options say else.",
                "With -d the command prompts for each item that has an access control.",
                "It names an item that it cannot open on standard error, writes all others, and",
                "exits with that item's status.",
            ],
            run: DumpKeychain.run
        ),
        Command(
            "access-groups",
            "list the groups this command may use",
            options: OptionTable.listing,
            run: AccessGroups.run
        ),
    ]

    private static let device: [Command] = [
        Command(
            "lock-keychain",
            "lock the keychain",
            options: OptionTable.lock,
            operands: .noKeychain,
            run: LockKeychain.run
        ),
        Command(
            "unlock-keychain",
            "unlock the keychain with the passcode",
            options: OptionTable.unlock,
            operands: .noKeychain,
            remarks: [
                "Without -p or --unlock-with it prompts for the passcode or reads standard input.",
                "KEYCHAIN_UNLOCK_WITH=SOURCE unlocks once after each start of the machine, for any",
                "program. After lock-keychain it does nothing: use --unlock-with.",
                "A file must belong to you, and nobody else may reach it: chmod 600.",
                "Example: keychain unlock-keychain --unlock-with credential:keychain-passcode",
                "Example: keychain unlock-keychain --unlock-with file:/etc/shop/passcode",
            ],
            run: UnlockKeychain.run
        ),
        Command(
            "passcode",
            "set, change, remove or seal the passcode",
            options: OptionTable.passcode,
            operands: .choice(Passcode.verbs),
            remarks: [
                "From a pipe: the current passcode, if any, and the new one, on a line each.",
                "Setting or changing it makes new keys: earlier copies of the keybag open nothing.",
                "remove destroys items of WhenPasscodeSetThisDeviceOnly for good. Items whose",
                "access control demands the passcode never open again, also under a new one.",
                "seal lets this machine's TPM unlock the keychain; change and remove undo that.",
                "Example: keychain passcode seal --unlock-with tpm:swtpm:host=127.0.0.1,port=2321",
            ],
            run: Passcode.run
        ),
        Command(
            "set-keychain-settings",
            "set when the keychain locks by itself",
            options: OptionTable.lockSettings,
            operands: .noKeychain,
            remarks: [
                "Without -t no idle time locks, and without -l no sleep, as on macOS.",
                "Each program checks the settings before it uses the keychain. To lock at the",
                "moment of sleep or logout, run watch-locks.",
                "Example: keychain set-keychain-settings -l -t 300 --at 22:00",
            ],
            run: SetKeychainSettings.run
        ),
        Command(
            "show-keychain-info",
            "show when the keychain locks by itself",
            options: OptionTable.listing,
            operands: .noKeychain,
            run: ShowKeychainInfo.run
        ),
        Command(
            "watch-locks",
            "lock when the session is locked, or the machine sleeps",
            companion: "keychain-logind",
            remarks: [
                "It listens to systemd-logind and runs until SIGTERM. A locked session always",
                "locks the keychain; sleep and logout do if set-keychain-settings says so.",
                "It writes one line for each lock to standard error.",
            ]
        ),
        Command(
            "status",
            "tell the state of the keychain",
            options: OptionTable.listing,
            run: Status.run
        ),
    ]

    private static let backups: [Command] = [
        Command(
            "backup",
            "write an encrypted backup",
            options: OptionTable.listing,
            operands: .one("file"),
            remarks: [
                "The password is asked for twice, or read from a pipe; without it nothing opens.",
                "Items that need the passcode or an access control are in no backup.",
            ],
            run: Backup.run
        ),
        Command(
            "restore",
            "read an encrypted backup",
            options: OptionTable.listing,
            operands: .one("file"),
            remarks: [
                "All of it or nothing; of two items with one primary key the newer stays.",
                "Items for one device only come back on the device that made the backup.",
            ],
            run: Restore.run
        ),
        Command(
            "check",
            "verify every item by opening it",
            options: OptionTable.check,
            remarks: [
                "Names what does not open, and tells when a row was put back as it was before,",
                "or taken away. Changes nothing; deletes nothing. It goes on telling of such",
                "rows until --accept-rows, which changes no row either.",
            ],
            run: CheckKeychain.run
        ),
        Command(
            "doctor",
            "find out what is wrong, and what to do",
            options: OptionTable.listing,
            remarks: [
                "Looks at the directory, the files, the keys, the database, and access groups.",
                "Explains which access groups this command has, and which others hold items.",
            ],
            run: Doctor.run
        ),
    ]

    private static let general: [Command] = [
        Command(
            "simulate",
            "run scenarios on simulated devices",
            companion: "keychain-simulate",
            options: OptionTable.simulate,
            operands: .several("file"),
            remarks: [
                "A file says which devices, apps and items there are, what happens, and which",
                "status each event is to give. The devices are made for it; no keychain is opened.",
                "The exit status is 1 when an expectation does not hold.",
                "Where Apple's guides and Apple's source disagree, a simulated device follows",
                "the guides. Choose the source with `behavior` in the file, or with --behavior.",
                "This machine's keychain follows the source unless KEYCHAIN_BEHAVIOR=documented.",
            ]
        ),
        Command(
            "error",
            "explain status codes",
            options: OptionTable.listing,
            operands: .several("code"),
            remarks: ["A code is a decimal or hexadecimal number or a name such as errSecParam."],
            run: ErrorLookup.run
        ),
        Command("version", "tell the version", run: ShowVersion.run),
        Command(
            "help",
            "explain a command, or list all",
            options: OptionTable.help,
            operands: .optional("command"),
            run: Help.run
        ),
    ]

    private static let inputRemark =
        "The password is asked for, or read from standard input when that is not a terminal."
    private static let filterRemark =
        "With both -a and -s the other filters but the long ones are ignored, as on macOS."
    private static let printRemark =
        "-w writes a password with other than printable ASCII characters in hexadecimal digits."
}

extension CommandTable {
    /// The command of that name, or the only one whose name begins so.
    ///
    /// - Throws: `CommandFailure.usage` for a beginning of several, `.unknownCommand` for none.
    static func command(named word: String) throws(CommandFailure) -> Command {
        if let exact = rows.first(where: { $0.name == word }) { return exact }
        let candidates = word.isEmpty ? [] : rows.filter { $0.name.hasPrefix(word) }
        if candidates.count == 1 { return candidates[0] }
        guard candidates.isEmpty else {
            let names = candidates.map(\.name).joined(separator: ", ")
            throw .usage("'\(word)' could be \(names)")
        }
        throw .unknownCommand(word, nearest: Spelling.nearest(to: word, in: rows.map(\.name)))
    }

    /// Name and summary of every available command as the rows of a Markdown table.
    static var markdown: String {
        let lines = rows.filter(\.isAvailable).map { "| `\($0.name)` | \($0.summary) |\n" }
        return "| Command | |\n|---|---|\n" + lines.joined()
    }
}
