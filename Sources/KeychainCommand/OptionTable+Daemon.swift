// ★ Table: the options of the commands that need a daemon.
extension OptionTable {
    static let log: [CommandOption] = [
        .init(.follow, ["--follow", "-f"], .none, "wait for more lines, until you interrupt it"),
        .init(
            .program,
            ["--program"],
            .required("program"),
            "show this program only: a path, or the name at its end"
        ),
        .init(.denied, ["--denied"], .none, "show what the daemon denied only"),
        .init(.verify, ["--verify"], .none, "check that every line is as the daemon wrote it"),
        .init(.json, ["--json"], .none, "write one JSON object for each line"),
    ]

    static let access: [CommandOption] = [
        .init(.digest, ["--digest"], .none, "with grant: only while the file stays the same"),
        .init(.unit, ["--unit"], .none, "the program is a system unit, such as shop.service"),
        .init(.flatpak, ["--flatpak"], .none, "the program is a Flatpak, by its ID"),
        .init(.snap, ["--snap"], .none, "the program is a Snap, by its name"),
        .init(.programLabel, ["--label"], .none, "the program has this AppArmor or SELinux label"),
        .init(.ofAccount, ["--account"], .none, "every program of the account with this name"),
        .init(.json, ["--json"], .none, "with list: write JSON"),
    ]

    static let protect: [CommandOption] = [
        .init(.undo, ["--undo"], .none, "take the protection away"),
        json,
    ]
}
