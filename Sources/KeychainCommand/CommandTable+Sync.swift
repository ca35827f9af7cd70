// ★ Table: the command for synchronization, and its options.
extension CommandTable {
    static let synchronization: [Command] = [
        Command(
            "sync",
            "share synchronizable items with other devices",
            companion: "keychain-sync",
            options: OptionTable.synchronization,
            operands: .any(
                "create|join|approve|promote|remove|leave|recovery [argument]"
                    + " | once|run|status|on|off"
            ),
            remarks: [
                "Only items that were stored with --synchronizable travel.",
                "create founds a circle, shows its recovery key and its code, and asks for the",
                "recovery key once more. On another device, join with that code prints a",
                "fingerprint; approve that fingerprint on a keeper of the circle. Type both codes:",
                "that is what keeps strangers out. Afterwards status shows the same chain code on",
                "both devices: compare it.",
                "Keepers change the circle: the device that founded it, and those that promote or",
                "approve --keeper made keepers. If two keepers disagree, the earlier one decides.",
                "once exchanges what there is; run goes on until you stop it. status shows the",
                "devices, who asks to join, what is still to send, and what does not count, with",
                "the reason.",
                "off stops synchronization on this device, and on goes on. leave asks a keeper to",
                "take this device out. remove takes another one out, by its name or fingerprint,",
                "and makes a new key. If that device let others in, say what becomes of them:",
                "--with-others or --keep-others.",
                "recovery prints a new recovery key, to be kept on paper. With --recovery, join,",
                "remove and recovery prompt for the present one, and it signs: then no keeper can",
                "undo the change.",
                "A relay is a directory that another program carries to the other devices, such as",
                "~/Sync/keychain; a PostgreSQL database, such as",
                "postgresql://db.example.org/keychain; or etcd, such as",
                "etcd:https://etcd.example.org:2379. It sees neither names nor values. Give no",
                "password as an argument: PostgreSQL's is in ~/.pgpass.",
            ],
            example: "keychainctl sync create --relay ~/Sync/keychain"
        )
    ]
}

extension OptionTable {
    static let synchronization: [CommandOption] = [
        .init(
            .relay,
            ["--relay"],
            .required("relay"),
            "with create and join: what carries changes; with others: use this one from now on"
        ),
        .init(
            .deviceName,
            ["--name"],
            .required("name"),
            "with create and join: what the device is called [the host's name]"
        ),
        .init(
            .recovery,
            ["--recovery"],
            .none,
            "with join, remove and recovery: read the recovery key from the terminal or input"
        ),
        .init(.noRecovery, ["--no-recovery"], .none, "with create: have no recovery key"),
        .init(.keeper, ["--keeper"], .none, "with approve: let the device change the circle"),
        .init(.withOthers, ["--with-others"], .none, "with remove: also whom the device let in"),
        .init(.keepOthers, ["--keep-others"], .none, "with remove: without whom it let in"),
        .init(.force, ["--force"], .none, "with leave: do not tell the others"),
        .init(.json, ["--json"], .none, "with status and once: write JSON"),
    ]
}
