// ★ Table: every command. The parser, the help, the manual, the shells' completions and the
// README's list read it. Commands for keys and certificates are in CommandTable+Certificates.swift,
// those for other tools in CommandTable+Tools.swift, and the one for SSH in CommandTable+SSH.swift.
// Commands that scripts written for macOS use for keychain files are in
// CommandTable+Keychains.swift.

/// The commands, in the order in which the help lists them.
enum CommandTable {
    /// The purpose of the program, without a full stop.
    static let purpose = "keep passwords, keys and certificates"

    static let groups: [CommandGroup] = [
        CommandGroup("Passwords", passwords + everyday + store),
        CommandGroup("Keys and certificates", certificates + secureShell),
        CommandGroup("Lock and passcode", device),
        CommandGroup("Protected files", files),
        CommandGroup("Keychain files, as scripts use them", keychains),
        CommandGroup("The daemon", daemon),
        CommandGroup("Backup and repair", backups),
        CommandGroup("Other devices", synchronization),
        CommandGroup("Other tools", tools),
        CommandGroup("Diagnosis and help", general),
    ]

    static let rows: [Command] = groups.flatMap(\.commands)

    /// Example command lines for a new user.
    static let firstSteps = [
        "keychainctl add-generic-password -s mail -a alice",
        "keychainctl find-generic-password -s mail -a alice -w",
        "keychainctl dump-keychain",
        "keychainctl passcode set",
        "keychainctl migrate --dry-run",
    ]

    /// The text of the manual before its list of commands.
    static let description = [
        "The keychain of an account keeps secrets encrypted, as on Apple's platforms: each item",
        "has a class that says in which lock state it opens, an access group that says which",
        "programs see it, and perhaps an access control that says what a user must prove.",
        "The command has the names and options of macOS's security(1), and more.",
        "",
        "It never takes a password from its arguments unless you write it there. It prompts, or it",
        "reads a pipe. A beginning of a command's name is enough if no other command begins so.",
        "",
        "In front of a command, -q leaves out notes and warnings. -i reads commands from standard",
        "input, a line each, where no other user sees their words.",
    ]

    private static let passwords: [Command] = [
        Command(
            "add-generic-password",
            "store a password for a service",
            options: OptionTable.addGeneric,
            operands: .keychain,
            requires: [.account, .service],
            remarks: [inputRemark, "Without -l the label is the service."],
            example: "keychainctl add-generic-password -s mail -a alice",
            run: AddPassword(.generic).run
        ),
        Command(
            "find-generic-password",
            "show the first password that matches",
            options: OptionTable.findGeneric,
            operands: .keychain,
            remarks: [filterRemark, printRemark, rawRemark],
            example: "keychainctl find-generic-password -s mail -a alice -w",
            run: FindPassword(.generic).run
        ),
        Command(
            "delete-generic-password",
            "delete the first password that matches",
            options: OptionTable.deleteGeneric,
            operands: .keychain,
            remarks: [filterRemark],
            example: "keychainctl delete-generic-password -s mail -a alice",
            run: DeletePassword(.generic).run
        ),
        Command(
            "add-internet-password",
            "store a password for a server",
            options: OptionTable.addInternet,
            operands: .keychain,
            requires: [.account, .server],
            remarks: [inputRemark, "Without -l the label is the server."],
            example: "keychainctl add-internet-password -s example.org -a alice -r htps",
            run: AddPassword(.internet).run
        ),
        Command(
            "find-internet-password",
            "show the first password that matches",
            options: OptionTable.findInternet,
            operands: .keychain,
            remarks: [printRemark, rawRemark],
            example: "keychainctl find-internet-password -s example.org -w",
            run: FindPassword(.internet).run
        ),
        Command(
            "delete-internet-password",
            "delete the first password that matches",
            options: OptionTable.deleteInternet,
            operands: .keychain,
            example: "keychainctl delete-internet-password -s example.org -a alice",
            run: DeletePassword(.internet).run
        ),
        Command(
            "set-access-control",
            "change the access control of a password",
            options: OptionTable.setAccessControl,
            remarks: [
                "--require takes: \(AccessControlText.demands.joined(separator: ", ")).",
                "Separate several with commas. Combine them with `or` or `and`.",
                "If the item has an access control, the command prompts for what it requires.",
                "The change happens in one step: a crash leaves the old or the new one.",
            ],
            example: "keychainctl set-access-control -s mail --require userPresence",
            run: SetAccessControl.run
        ),
    ]

    private static let store: [Command] = [
        Command(
            "dump-keychain",
            "list all items",
            options: OptionTable.dump,
            operands: .keychain,
            remarks: [
                "It writes a table to a terminal, and the dump to a file or pipe.",
                "With -d the command prompts for each item that has an access control.",
                "It names an item that it cannot open on standard error, writes all others, and",
                "exits with that item's status.",
            ],
            example: "keychainctl dump-keychain --json",
            run: DumpKeychain.run
        ),
        Command(
            "access-groups",
            "list the access groups that this command may use",
            options: OptionTable.listing,
            example: "keychainctl access-groups",
            run: AccessGroups.run
        ),
    ]

    private static let device: [Command] = [
        Command(
            "lock-keychain",
            "lock the keychain",
            options: OptionTable.lock,
            operands: .keychain,
            example: "keychainctl lock-keychain",
            run: LockKeychain.run
        ),
        Command(
            "unlock-keychain",
            "unlock the keychain with the passcode",
            options: OptionTable.unlock,
            operands: .keychain,
            remarks: [
                "Without -p or --unlock-with it prompts for the passcode, or reads it from a pipe.",
                "Before that it reads the source that KEYCHAIN_UNLOCK_WITH names, if it is set.",
                "The variable also unlocks for any program, once after each start of the machine.",
                "The file must belong to you, and no other user may read it: run chmod 600.",
            ],
            example: "keychainctl unlock-keychain --unlock-with file:/etc/shop/passcode",
            run: UnlockKeychain.run
        ),
        Command(
            "passcode",
            "set, change, remove or seal the passcode",
            options: OptionTable.passcode,
            operands: .choice(Passcode.verbs),
            remarks: [
                "From a pipe it reads the current passcode, if any, then the new one, a line each.",
                "set and change make new keys: earlier copies of the keybag open nothing, except",
                "protected files until keychainctl file rewrap.",
                "remove deletes items of WhenPasscodeSetThisDeviceOnly. Items whose access control",
                "needs the passcode never open again, not even with a new one. The command names",
                "them first. From a pipe it then changes nothing unless you add --force.",
                "seal lets this machine's TPM unlock the keychain; change and remove undo that.",
            ],
            example: "keychainctl passcode set",
            run: Passcode.run
        ),
        Command(
            "set-keychain-settings",
            "set when the keychain locks by itself",
            options: OptionTable.lockSettings,
            operands: .keychain,
            remarks: [
                "Without -t it turns the idle lock off, and without -l the sleep lock.",
                "Each program checks the settings before it uses the keychain. To lock at the",
                "moment of sleep or logout, run watch-locks.",
            ],
            example: "keychainctl set-keychain-settings -l -t 300 --at 22:00",
            run: SetKeychainSettings.run
        ),
        Command(
            "show-keychain-info",
            "show when the keychain locks by itself",
            options: OptionTable.listing,
            operands: .keychain,
            example: "keychainctl show-keychain-info",
            run: ShowKeychainInfo.run
        ),
        Command(
            "watch-locks",
            "lock when the session locks or the machine sleeps",
            companion: "keychain-logind",
            remarks: [
                "It listens to systemd-logind until it gets SIGTERM. A locked session always",
                "locks the keychain; sleep and logout do if set-keychain-settings says so.",
                "It writes one line for each lock to standard error.",
            ],
            example: "keychainctl watch-locks"
        ),
        Command(
            "status",
            "show the state of the keychain",
            options: OptionTable.listing,
            example: "keychainctl status --json",
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
                "It prompts for the backup's password twice, or reads it from a pipe.",
                "Nobody can open the backup without that password.",
                "It leaves out items that need the passcode or have an access control.",
                "It has no keys of protected files: those open with a copy of the keychain's",
                "directory only. keychainctl help file says more.",
            ],
            example: "keychainctl backup keychain.backup",
            run: Backup.run
        ),
        Command(
            "restore",
            "read an encrypted backup",
            options: OptionTable.listing,
            operands: .one("file"),
            remarks: [
                "It restores all items or none. If an item exists already, the newer one stays.",
                "ThisDeviceOnly items come back only on the device that made the backup.",
            ],
            example: "keychainctl restore keychain.backup",
            run: Restore.run
        ),
        Command(
            "check",
            "verify every item by opening it",
            options: OptionTable.check,
            remarks: [
                "It names each item that does not open, and reports rows that somebody removed or",
                "replaced with an older copy. It changes and deletes nothing. It repeats such a",
                "report until you run it with --accept-rows, which changes no item either.",
                "A note names an item whose passcode or enrolment is gone. That is not damage.",
                "After a new passcode is set, it cannot tell such items from others.",
            ],
            example: "keychainctl check",
            run: CheckKeychain.run
        ),
        Command(
            "doctor",
            "find problems and suggest fixes",
            options: OptionTable.listing,
            remarks: [
                "It examines the directory, files, keys, database, access groups and environment.",
                "It explains which access groups this command has, and which others hold items.",
            ],
            example: "keychainctl doctor",
            run: Doctor.run
        ),
    ]

    private static let general: [Command] = [
        Command(
            "simulate",
            "run scenarios on simulated devices, or keep a device for other programs",
            companion: "keychain-simulate",
            options: OptionTable.simulate,
            operands: .any("file"),
            remarks: [
                "A file describes devices, apps, items and events, and the status of each event.",
                "The command creates these devices; it never opens your keychain.",
                "It exits with 1 if the status of an event is not the expected one.",
                "--with-simulator compares a device with the iOS Simulator.",
                "--behavior both compares Apple's guides with Apple's source, where they disagree.",
                "Without it a device follows the file's choice, or else the guides.",
                "",
                "--serve keeps one device until you stop it. A program that starts with",
                "KEYCHAIN_SIM=name uses that device as its keychain, unchanged. Act on it with",
                "keychainctl simulate name, followed by one of these:",
                "  lock [60s]  unlock [passcode|-]  unlock-with-biometry  reboot  advance 60s",
                "  set-passcode passcode  remove-passcode  enroll name  remove-enrollment name",
                "  present name|null  user [cancels=yes] [passcode=text]  location yes|no",
                "  install app [team=id] [groups=a,b]  uninstall app  foreground|background [app]",
                "  backup [name]  restore [name]  erase  status|prompts|findings [json]  stop",
                "A value of - is read from standard input.",
            ],
            example: "keychainctl simulate --html report.html Examples/Scenarios/*.json"
        ),
        Command(
            "error",
            "explain status codes",
            options: OptionTable.listing,
            operands: .several("code"),
            remarks: [
                "A code is a decimal number, a hexadecimal one, or a name such as errSecParam."
            ],
            example: "keychainctl error -25300",
            run: ErrorLookup.run
        ),
        Command(
            "explain",
            "explain why calls for an item return a status",
            options: OptionTable.explain,
            operands: .one("status"),
            remarks: [
                "Name the item as the failed call did. The command looks at lock state, context,",
                "access groups and attributes, and says what to do. It never reads the secret and",
                "never prompts. If there is no keychain, it says so and makes none.",
                "Name a key by --tag, a certificate or an identity by --class and -l.",
                "It has a diagnosis for -25308, -25299, -25300, -34018, -50, -25293, -128 and",
                "-25291.",
            ],
            example: "keychainctl explain -25308 -s mail -a alice",
            run: ExplainStatus.run
        ),
        Command(
            "version",
            "show the version",
            example: "keychainctl version",
            run: ShowVersion.run
        ),
        Command(
            "help",
            "explain a command, or list all commands",
            options: OptionTable.help,
            operands: .optional("command"),
            remarks: ["keychainctl help environment lists the environment variables."],
            example: "keychainctl help find-generic-password",
            run: Help.run
        ),
        Command(
            "manual",
            "write the man pages and the completions of shells",
            options: OptionTable.manual,
            operands: .one("directory"),
            remarks: [
                "Installations run it. It writes man, bash-completion, zsh and fish below the",
                "directory, such as /usr/local/share.",
            ],
            example: "keychainctl manual ~/.local/share",
            run: WriteManual.run
        ),
    ]

    private static let inputRemark =
        "The command prompts for the password, or reads it from a pipe."
    private static let filterRemark =
        "With both -a and -s it ignores the other one-letter filters, as macOS does."
    private static let printRemark =
        "With -w, it writes a password in hexadecimal digits unless it is printable ASCII."
    private static let rawRemark =
        "With --raw, it writes the bytes as they are, and only to a file or pipe."
}

extension CommandTable {
    /// Returns the command with that name, or the only command whose name begins with the word.
    ///
    /// - Throws: `CommandFailure.usage` if several names begin with the word, `.unknownCommand` if
    ///   none does. For a command of macOS that does not exist here, the failure names the
    ///   replacement.
    static func command(named word: String) throws(CommandFailure) -> Command {
        if let exact = rows.first(where: { $0.name == word }) { return exact }
        if let failure = ElsewhereTable.failure(for: word) { throw failure }
        let candidates = word.isEmpty ? [] : rows.filter { $0.name.hasPrefix(word) }
        if candidates.count == 1 { return candidates[0] }
        guard candidates.isEmpty else {
            let names = candidates.map(\.name).joined(separator: ", ")
            throw .usage("ambiguous command '\(word)': write \(names)")
        }
        throw .unknownCommand(word, nearest: Spelling.nearest(to: word, in: rows.map(\.name)))
    }

    /// A Markdown table with the name and summary of every available command.
    static var markdown: String {
        let lines = rows.map { "| `\($0.name)` | \($0.summary) |\n" }
        return "| Command | |\n|---|---|\n" + lines.joined()
    }
}
