// ★ Table: the commands for keychain files that scripts written for macOS call.
extension CommandTable {
    static let keychains: [Command] = [
        Command(
            "create-keychain",
            "make a keychain in a directory of its own",
            options: OptionTable.createKeychain,
            operands: .several("keychain"),
            remarks: [
                "A keychain is a directory: a path, or a name beside your keychain.",
                "Give it behind a command, to -k of import and export, or in KEYCHAIN_HOME.",
                "The command prompts for the passcode twice, or reads a line of a pipe.",
                "Other users can see the passcode of -p. To hide it, write the command to the",
                "input of keychainctl -i. With -p '' the keychain has no passcode.",
            ],
            example: "keychainctl create-keychain build.keychain",
            run: CreateKeychain.run
        ),
        Command(
            "delete-keychain",
            "destroy keychains that create-keychain made",
            operands: .several("keychain"),
            remarks: [
                "It destroys the keys first, then removes the directory. No item can come back.",
                "It refuses every other keychain, and a directory that holds anything else.",
            ],
            example: "keychainctl delete-keychain build.keychain",
            run: DeleteKeychain.run
        ),
        Command(
            "list-keychains",
            "show the keychain that programs use",
            options: OptionTable.searchList,
            operands: .any("keychain"),
            remarks: [searchRemark, "With -s it changes nothing, and says what to set."],
            example: "keychainctl list-keychains",
            run: KeychainChoice.run
        ),
        Command(
            "default-keychain",
            "show the keychain that programs use",
            options: OptionTable.searchList,
            operands: .optional("keychain"),
            remarks: [searchRemark, "With -s it changes nothing, and says what to set."],
            example: "keychainctl default-keychain",
            run: KeychainChoice.run
        ),
        Command(
            "login-keychain",
            "show the keychain that programs use",
            options: OptionTable.searchList,
            operands: .optional("keychain"),
            remarks: [searchRemark, "With -s it changes nothing, and says what to set."],
            example: "keychainctl login-keychain",
            run: KeychainChoice.run
        ),
        partitionList("set-key-partition-list", OptionTable.partitionList),
        partitionList("set-generic-password-partition-list", OptionTable.passwordPartitionList),
        partitionList("set-internet-password-partition-list", OptionTable.passwordPartitionList),
    ]

    private static let searchRemark =
        "A program uses one keychain: yours, or the one that KEYCHAIN_HOME names."

    private static func partitionList(_ name: String, _ options: [CommandOption]) -> Command {
        Command(
            name,
            "(no effect: access groups decide which programs use an item)",
            options: options,
            operands: .keychain,
            remarks: [
                "It takes macOS's options, changes nothing, and says so on standard error.",
                "A program uses an item if it has the item's access group: see access-groups.",
            ],
            example: "keychainctl \(name) -S apple-tool:,apple: build.keychain",
            run: PartitionList.run
        )
    }
}

extension OptionTable {
    static let createKeychain: [CommandOption] = [
        .init(
            .password,
            ["-p"],
            .required("passcode"),
            "set this passcode; other users can see it"
        ),
        .init(.ineffective, ["-P"], .none, "(no effect: without -p the command prompts)"),
    ]

    static let searchList: [CommandOption] = [
        .init(.setSearchList, ["-s"], .none, "say how to choose this keychain"),
        .init(.domain, ["-d"], .required("domain"), "(no effect: there is one domain, user)"),
    ]

    private static let partitions: [CommandOption] = [
        .init(.partitions, ["-S"], .required("partitions"), "(no effect)"),
        .init(.password, ["-k"], .required("passcode"), "(not needed: leave it out)"),
    ]

    static let passwordPartitionList: [CommandOption] =
        partitions + [
            .init(
                .ineffective,
                ["-a", "-c", "-C", "-d", "-D", "-G", "-j", "-l", "-p", "-P", "-r", "-s", "-t"],
                .required("value"),
                "(no effect; nor have -c, -C, -d, -D, -G, -j, -l, -p, -P, -r, -s, -t)"
            )
        ]

    static let partitionList: [CommandOption] =
        partitions + [
            .init(
                .ineffective,
                ["-l", "-a", "-t"],
                .required("value"),
                "(no effect; nor have -a, -t)"
            ),
            .init(
                .ineffectiveFlag,
                ["-s", "-d", "-D", "-e", "-u", "-v", "-w"],
                .none,
                "(no effect; nor have -d, -D, -e, -u, -v, -w)"
            ),
        ]
}
