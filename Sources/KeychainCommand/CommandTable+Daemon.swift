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
            "daemon",
            "move the keychain into the daemon, or back",
            operands: .choice(MoveKeychain.verbs),
            remarks: [
                "adopt copies the keychain of your directory into the daemon, compares the copy,",
                "and puts the old directory aside. release is the way back; it prompts for the",
                "passcode, or reads it from a pipe. After an interruption, run it again.",
                "adopt prompts for the passcode of the daemon's keychain if that was used before.",
                "discard removes the keychain that an earlier move put aside. It prompts for the",
                "passcode of the daemon's keychain, or of the one that you released.",
                "Programs can use the daemon's keychain only through the daemon.",
            ],
            example: "keychainctl daemon adopt",
            run: MoveKeychain.run
        ),
        Command(
            "protect",
            "protect a program from the other programs of its account",
            options: OptionTable.protect,
            operands: .one("program"),
            remarks: [
                "Run it as root. The program gets the set-group-ID bit of keychain-client. The",
                "loader then ignores LD_PRELOAD. Nobody but root can trace it or read its memory.",
                "Root must own the program and all directories above it. Scripts and interpreters",
                "are refused. Programs with windows of GTK refuse to run protected.",
                "The bit gives no secrets. A policy can demand it with the level verified.",
            ],
            example: "keychainctl protect /usr/bin/mailer",
            run: Protect.run
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
