import KeychainModel

// ★ Table: every option of every command. Parser, queries, help and README read it.

/// Options by the command family that has them; macOS's letters where macOS has the option.
enum OptionTable {
    /// Options of every command.
    static let common: [CommandOption] = [
        .init(.help, ["--help", "-h"], .none, "explain the command")
    ]

    static let json = CommandOption(.json, ["--json"], .none, "write JSON")

    private static let described: [CommandOption] = [
        .init(
            .creator,
            ["-c"],
            .required("creator"),
            "four letters",
            sets: .letterNumber(.creator)
        ),
        .init(.type, ["-C"], .required("type"), "four letters", sets: .letterNumber(.type)),
        .init(.kind, ["-D"], .required("kind"), "what the item is", sets: .text(.description)),
        .init(.comment, ["-j"], .required("comment"), "a remark", sets: .text(.comment)),
        .init(.label, ["-l"], .required("label"), "the name shown to people", sets: .text(.label)),
    ]

    /// Options beyond macOS, about where an item lives and when it can be read.
    static let placed: [CommandOption] = [
        .init(
            .accessGroup,
            ["--access-group"],
            .required("group"),
            "who may see the item",
            sets: .text(.accessGroup)
        ),
        .init(
            .accessible,
            ["--accessible"],
            .required("when"),
            "when the item can be read, such as AfterFirstUnlock or ck",
            sets: .accessible
        ),
        .init(
            .synchronizable,
            ["--synchronizable"],
            .none,
            "items that travel between devices",
            sets: .flag(.synchronizable)
        ),
    ]

    private static let generic: [CommandOption] = [
        .init(.account, ["-a"], .required("account"), "the account", sets: .text(.account)),
        .init(.service, ["-s"], .required("service"), "the service", sets: .text(.service)),
        .init(
            .generic,
            ["-G"],
            .required("generic"),
            "the generic attribute",
            sets: .bytes(.generic)
        ),
    ]

    private static let internet: [CommandOption] = [
        .init(.account, ["-a"], .required("account"), "the account", sets: .text(.account)),
        .init(.server, ["-s"], .required("server"), "the server", sets: .text(.server)),
        .init(
            .securityDomain,
            ["-d"],
            .required("domain"),
            "the security domain",
            sets: .text(.securityDomain)
        ),
        .init(.path, ["-p"], .required("path"), "the path on the server", sets: .text(.path)),
        .init(.port, ["-P"], .required("port"), "the port, 0 to 65535", sets: .port),
        .init(
            .protocolName,
            ["-r"],
            .required("protocol"),
            "four letters, such as htps",
            sets: .letters(.protocolName)
        ),
        .init(
            .authenticationType,
            ["-t"],
            .required("type"),
            "four letters, such as form",
            sets: .letters(.authenticationType)
        ),
    ]

    private static let require = CommandOption(
        .require,
        ["--require"],
        .required("what"),
        "what opens the item, such as userPresence or biometryAny,or,devicePasscode"
    )

    private static let adding: [CommandOption] = [
        require,
        .init(
            .password,
            ["-w"],
            .optional("password"),
            "the password; leave the value out to be asked for it"
        ),
        .init(.passwordHex, ["-X"], .required("hex"), "the password in hexadecimal digits"),
        .init(.allowEmpty, ["--allow-empty"], .none, "accept an empty password"),
        .init(.update, ["-U"], .none, "change the item if it exists already"),
        .init(.anyApplication, ["-A"], .none, "accepted without effect"),
        .init(.application, ["-T"], .required("application"), "accepted without effect"),
    ]

    private static let finding: [CommandOption] = [
        .init(.showPassword, ["-g"], .none, "also write the password, to standard error"),
        .init(.onlyPassword, ["-w"], .none, "write the password and nothing else"),
        json,
    ]

    static let addGeneric: [CommandOption] =
        generic + described + placed + adding + [
            .init(.passwordAlias, ["-p"], .required("password"), "the same as -w")
        ]
    static let addInternet: [CommandOption] = internet + described + placed + adding
    static let findGeneric: [CommandOption] = generic + described + placed + finding
    static let findInternet: [CommandOption] = internet + described + placed + finding
    static let deleteGeneric: [CommandOption] = generic + described + placed + [json]
    static let deleteInternet: [CommandOption] = internet + described + placed + [json]

    static let setAccessControl: [CommandOption] =
        generic + described + placed + [
            .init(
                .server,
                ["--server"],
                .required("server"),
                "the server; the item is then an internet password",
                sets: .text(.server)
            ),
            require,
            .init(.requireNothing, ["--none"], .none, "nothing more than an unlocked keychain"),
        ]

    static let dump: [CommandOption] = [
        .init(.data, ["-d"], .none, "also write the secrets, as dump"),
        .init(.raw, ["--raw", "-r"], .none, "write the dump also to a terminal"),
        .init(.table, ["--table"], .none, "write the table also to a file or pipe"),
        .init(.all, ["-a"], .none, "accepted without effect"),
        json,
    ]
    static let lock: [CommandOption] = [
        .init(.all, ["-a"], .none, "accepted without effect: there is one keychain"),
        .init(
            .lockEvent,
            ["--when"],
            .required("event"),
            "lock for sleep or logout if the settings ask for it; always for session"
        ),
    ]
    static let lockSettings: [CommandOption] = [
        .init(.lockOnSleep, ["-l"], .none, "lock when the machine sleeps [no]"),
        .init(.lockWhenIdle, ["-u"], .none, "lock after the time of -t, as -t does alone"),
        .init(
            .idleTime,
            ["-t"],
            .required("seconds"),
            "lock when no program used the keychain for this time [never]"
        ),
        .init(
            .lockTime,
            ["--at"],
            .required("HH:MM"),
            "lock at this time of day, or never [as it is]"
        ),
        .init(
            .lockOnLogout,
            ["--logout"],
            .required("yes|no"),
            "lock with the last logout even if programs stay [as it is]"
        ),
    ]
    static let unlock: [CommandOption] = [
        .init(.password, ["-p"], .required("passcode"), "the passcode, visible to other users"),
        unlockWith,
    ]
    private static let unlockWith = CommandOption(
        .unlockWith,
        ["--unlock-with"],
        .required("source"),
        "where the passcode is: fd:NUMBER, file:PATH, credential:NAME, tpm or tpm:TCTI"
    )
    static let listing: [CommandOption] = [json]
    static let passcode: [CommandOption] = [
        .init(
            .rekey,
            ["--rekey"],
            .none,
            "with change: make new keys and keep the passcode, which alone is asked for"
        ),
        .init(
            .unlockWith,
            ["--unlock-with"],
            .required("tpm"),
            "with seal: tpm, or tpm:TCTI for a TPM at another place [tpm]"
        ),
    ]
    static let check: [CommandOption] = [
        json,
        .init(
            .acceptRows,
            ["--accept-rows"],
            .none,
            "from now on take the rows that are there for those that were written"
        ),
    ]
    static let migrate: [CommandOption] = [
        .init(.dryRun, ["--dry-run", "-n"], .none, "say what would move, and touch nothing"),
        .init(.keepOriginals, ["--keep", "-k"], .none, "leave the originals where they are"),
        .init(
            .service,
            ["--service", "-s"],
            .required("service"),
            "the service of what is for no server; else named after the file"
        ),
        .init(.everything, ["--all"], .none, "also move what does not look like a secret"),
        .init(
            .from,
            ["--from"],
            .required("format"),
            "what the files are, if their names do not tell"
        ),
        .init(
            .thisDeviceOnly,
            ["--this-device-only"],
            .none,
            "store items that no backup carries to another machine"
        ),
        .init(.undo, ["--undo"], .none, "write back what was taken out of the files [of all]"),
        .init(
            .force,
            ["--force"],
            .none,
            "with --undo: also write into files that changed since"
        ),
        .init(
            .deleteItems,
            ["--delete-items"],
            .none,
            "with --undo: then delete the items from the keychain"
        ),
        json,
    ]
    static let env: [CommandOption] =
        [
            .init(
                .allowVariable,
                ["--allow"],
                .required("name"),
                "set this variable although it changes what programs run; may be repeated"
            ),
            .init(.exact, ["--exact"], .none, "take the service's name as it is"),
        ] + placed.filter { $0.name == .accessGroup }
    static let dockerCredential: [CommandOption] = [
        .init(.version, ["--version", "-v"], .none, "write the version")
    ]
    static let simulate: [CommandOption] = [
        .init(.both, ["--both"], .none, "run everything as an iOS Simulator, too"),
        .init(
            .behavior,
            ["--behavior"],
            .required("name"),
            "follow the guides (documented), Apple's source (appleSource), or both in turn"
        ),
        json,
        .init(.tap, ["--tap"], .none, "write TAP"),
        .init(.junit, ["--junit"], .required("file"), "write JUnit's XML into a file"),
        .init(.html, ["--html"], .required("file"), "draw the time lines on a page"),
    ]
    static let help: [CommandOption] = [
        .init(.markdown, ["--markdown"], .none, "write the list of commands as a table")
    ]
}
