import KeychainModel

// ★ Table: every option of every command. Parser, queries, help and README read it.

/// Options by the command family that has them; macOS's letters where macOS has the option.
enum OptionTable {
    /// Options of every command.
    static let common: [CommandOption] = [
        .init(.help, ["--help", "-h"], .none, "show this help")
    ]

    static let json = CommandOption(.json, ["--json"], .none, "write JSON")

    static let described: [CommandOption] = [
        .init(
            .creator,
            ["-c"],
            .required("creator"),
            "use this creator code of four letters",
            sets: .letterNumber(.creator)
        ),
        .init(
            .type,
            ["-C"],
            .required("type"),
            "use this type code of four letters",
            sets: .letterNumber(.type)
        ),
        .init(.kind, ["-D"], .required("kind"), "use this kind of item", sets: .text(.description)),
        .init(.comment, ["-j"], .required("comment"), "use this comment", sets: .text(.comment)),
        .init(
            .label,
            ["-l"],
            .required("label"),
            "use this label, the name that users see",
            sets: .text(.label)
        ),
    ]

    /// Options that macOS does not have: the group of an item, and when it can be read.
    static let placed: [CommandOption] = [
        .init(
            .accessGroup,
            ["--access-group"],
            .required("group"),
            "use this access group, whose programs see the item",
            sets: .text(.accessGroup)
        ),
        .init(
            .accessible,
            ["--accessible"],
            .required("when"),
            "use this accessibility, such as AfterFirstUnlock",
            sets: .accessible
        ),
        .init(
            .synchronizable,
            ["--synchronizable"],
            .none,
            "use synchronizable items, which may travel to other devices",
            sets: .flag(.synchronizable)
        ),
    ]

    static let generic: [CommandOption] = [
        .init(.account, ["-a"], .required("account"), "use this account", sets: .text(.account)),
        .init(.service, ["-s"], .required("service"), "use this service", sets: .text(.service)),
        .init(
            .generic,
            ["-G"],
            .required("generic"),
            "use this generic attribute",
            sets: .bytes(.generic)
        ),
    ]

    private static let internet: [CommandOption] = [
        .init(.account, ["-a"], .required("account"), "use this account", sets: .text(.account)),
        .init(.server, ["-s"], .required("server"), "use this server", sets: .text(.server)),
        .init(
            .securityDomain,
            ["-d"],
            .required("domain"),
            "use this security domain",
            sets: .text(.securityDomain)
        ),
        .init(.path, ["-p"], .required("path"), "use this path on the server", sets: .text(.path)),
        .init(.port, ["-P"], .required("port"), "use this port, 0 to 65535", sets: .port),
        .init(
            .protocolName,
            ["-r"],
            .required("protocol"),
            "use this protocol of four letters, such as htps",
            sets: .protocolName
        ),
        .init(
            .authenticationType,
            ["-t"],
            .required("type"),
            "use this authentication type of four letters, such as form",
            sets: .letters(.authenticationType)
        ),
    ]

    private static let require = CommandOption(
        .require,
        ["--require"],
        .required("what"),
        "prompt for this before the item opens, such as userPresence"
    )

    private static let adding: [CommandOption] = [
        require,
        .init(
            .password,
            ["-w"],
            .optional("password"),
            "store this password; without a value, prompt for it"
        ),
        .init(
            .passwordHex,
            ["-X"],
            .required("hex"),
            "store this password, given in hexadecimal digits"
        ),
        .init(.allowEmpty, ["--allow-empty"], .none, "accept an empty password"),
        .init(.update, ["-U"], .none, "change the item if it exists already"),
        .init(.anyApplication, ["-A"], .none, "(no effect: access groups decide who sees an item)"),
        .init(
            .application,
            ["-T"],
            .required("application"),
            "(no effect: access groups decide who sees an item)"
        ),
    ]

    private static let finding: [CommandOption] = [
        .init(.showPassword, ["-g"], .none, "also write the password, to standard error"),
        .init(.onlyPassword, ["-w"], .none, "write the password and nothing else"),
        .init(
            .raw,
            ["--raw"],
            .none,
            "write the password's bytes as they are, with no line end"
        ),
        json,
    ]

    static let addGeneric: [CommandOption] =
        generic + described + placed + adding + [
            .init(.passwordAlias, ["-p"], .required("password"), "store this password, as -w does")
        ]
    static let addInternet: [CommandOption] = internet + described + placed + adding
    static let findGeneric: [CommandOption] = generic + described + placed + finding
    static let findInternet: [CommandOption] = internet + described + placed + finding
    static let deleteGeneric: [CommandOption] = generic + described + placed + [json]
    static let deleteInternet: [CommandOption] = internet + described + placed + [json]

    static let setAccessControl: [CommandOption] =
        generic + described + placed + [
            serverByName,
            require,
            .init(.requireNothing, ["--none"], .none, "remove the access control"),
        ]

    static let serverByName = CommandOption(
        .server,
        ["--server"],
        .required("server"),
        "name an internet password by its server",
        sets: .text(.server)
    )

    /// The options of `explain` that only an internet password has.
    static let explainInternet: [CommandOption] =
        [serverByName] + internet.filter { $0.name != .account && $0.name != .server }
    /// The options of `explain` about items other than passwords.
    static let explainKeys: [CommandOption] = [
        .init(
            .itemClass,
            ["--class"],
            .required("class"),
            "the item is one of: key, certificate, identity [a password]"
        ),
        tag,
        .init(
            .keyClass,
            ["--key-class"],
            .required("class"),
            "use this class of keys: " + KeyTypeName.classNames.joined(separator: ", ")
        ),
        .init(
            .algorithm,
            ["--key-type"],
            .required("type"),
            "use this type of keys: " + KeyTypeName.typeNames.joined(separator: ", ")
        ),
    ]
    static let explain: [CommandOption] =
        generic + described + placed + explainInternet + explainKeys + [require, json]

    static let dump: [CommandOption] = [
        .init(.data, ["-d"], .none, "also write the secrets, as a dump"),
        .init(.raw, ["--raw", "-r"], .none, "write the dump to a terminal too"),
        .init(.table, ["--table"], .none, "write the table to a file or pipe too"),
        .init(.all, ["-a"], .none, "(no effect: all items are always listed)"),
        json,
    ]
    static let lock: [CommandOption] = [
        .init(.all, ["-a"], .none, "(no effect: there is one keychain)"),
        .init(
            .lockEvent,
            ["--when"],
            .required("event"),
            "lock for this event: sleep or logout if the settings say so, session always"
        ),
    ]
    static let lockSettings: [CommandOption] = [
        .init(.lockOnSleep, ["-l"], .none, "lock when the machine sleeps [no]"),
        .init(.lockWhenIdle, ["-u"], .none, "lock after the time of -t; -t implies it"),
        .init(
            .idleTime,
            ["-t"],
            .required("seconds"),
            "lock after this time without use [never]"
        ),
        .init(
            .lockTime,
            ["--at"],
            .required("HH:MM"),
            "lock at this time of day, or never [unchanged]"
        ),
        .init(
            .lockOnLogout,
            ["--logout"],
            .required("yes|no"),
            "lock at the last logout, even if programs still run [unchanged]"
        ),
    ]
    static let unlock: [CommandOption] = [
        .init(
            .password,
            ["-p"],
            .required("passcode"),
            "use this passcode; other users can see it"
        ),
        unlockWith,
    ]
    private static let unlockWith = CommandOption(
        .unlockWith,
        ["--unlock-with"],
        .required("source"),
        "read the passcode from fd:NUMBER, file:PATH, credential:NAME, tpm or tpm:TCTI"
    )
    static let listing: [CommandOption] = [json]
    static let passcode: [CommandOption] = [
        .init(
            .rekey,
            ["--rekey"],
            .none,
            "with change: make new keys and keep the passcode"
        ),
        .init(
            .force,
            ["--force"],
            .none,
            "with remove: remove it even if items are lost, or without a terminal"
        ),
        .init(
            .unlockWith,
            ["--unlock-with"],
            .required("tpm"),
            "with seal: use this TPM, tpm or tpm:TCTI [tpm]"
        ),
    ]
    static let check: [CommandOption] = [
        json,
        .init(
            .acceptRows,
            ["--accept-rows"],
            .none,
            "accept the rows as they are now"
        ),
    ]
    static let migrate: [CommandOption] = [
        .init(.dryRun, ["--dry-run", "-n"], .none, "report what would move, and change nothing"),
        .init(.keepOriginals, ["--keep", "-k"], .none, "leave the originals where they are"),
        .init(
            .service,
            ["--service", "-s"],
            .required("service"),
            "use this service for secrets without a server [the file's path]"
        ),
        .init(.everything, ["--all"], .none, "also move what does not look like a secret"),
        .init(
            .keepAttributes,
            ["--keep-attributes"],
            .none,
            "let keychain-secret-service find the items as before"
        ),
        .init(
            .from,
            ["--from"],
            .required("format"),
            "read the files in this format [by their names]"
        ),
        .init(
            .thisDeviceOnly,
            ["--this-device-only"],
            .none,
            "store items that no backup moves to another machine"
        ),
        .init(.undo, ["--undo"], .none, "write secrets back into these files [all files]"),
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
                "set this variable even if it changes what runs; repeat for more"
            ),
            .init(.exact, ["--exact"], .none, "take the name as a service, not as a folder"),
        ] + placed.filter { $0.name == .accessGroup }
    static let awsCredentials: [CommandOption] =
        [.init(.showOnTerminal, ["--show"], .none, "write the keys even to a terminal")]
        + placed.filter { $0.name == .accessGroup }
    static let serveCredential: [CommandOption] = placed.filter { $0.name == .accessGroup }
    static let autoFill: [CommandOption] = [
        .init(.account, ["-a", "--account"], .required("name"), "take this account only"),
        .init(.onlyPassword, ["-w"], .none, "write the password and nothing else"),
        .init(.list, ["--list"], .none, "write every account that fits, the best first"),
        json,
    ]
}
