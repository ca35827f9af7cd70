// ★ Table: the commands that need a daemon.
extension CommandTable {
    static let daemon: [Command] = [
        Command(
            "access",
            "share access groups with programs",
            options: OptionTable.access,
            operands: .any("list|grant|revoke [group program]"),
            remarks: [
                "grant and revoke prompt for the passcode, or read it from a pipe.",
                "A program keeps what you share until you revoke it. With --digest it loses it as",
                "soon as its file changes, for example by an update.",
                "There is nothing to share without a daemon: see keychainctl status.",
            ],
            example: "keychainctl access grant mail /usr/bin/mailer",
            run: Access.run
        ),
        Command(
            "log",
            "show what programs asked the daemon for",
            options: OptionTable.log,
            remarks: [
                "Each line names the program, what it did, and the status. Names and values of",
                "items are not in the log.",
                "--verify exits with 1 if a line was altered or removed.",
            ],
            example: "keychainctl log --denied",
            run: ShowLog.run
        ),
    ]
}
