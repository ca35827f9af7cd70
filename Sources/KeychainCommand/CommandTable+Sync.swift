// ★ Table: the command for synchronization, and its options.
extension CommandTable {
    static let synchronization: [Command] = [
        Command(
            "sync",
            "share synchronizable items with other devices",
            companion: "keychain-sync",
            options: OptionTable.synchronization,
            operands: .any(
                "create|join|approve|once|run|status|remove|leave|recovery|on|off [argument]"
            ),
            remarks: [
                "Only items that were stored with --synchronizable travel.",
                "create founds a circle and prints its code. On another device, join with that",
                "code prints a fingerprint; approve that fingerprint on a device of the circle.",
                "Type both codes: that is what keeps strangers out.",
                "once exchanges what there is; run goes on until you stop it. status shows the",
                "devices, who asks to join, and what is still to send.",
                "off stops synchronization on this device, and on goes on. leave takes this",
                "device out; remove takes another one out, by its name or fingerprint, and",
                "changes all keys.",
                "recovery prints a new recovery key, to be kept on paper. join --recovery prompts",
                "for it, and needs no other device.",
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
            "with join: read the recovery key from the terminal or standard input"
        ),
        .init(.force, ["--force"], .none, "with leave: do not tell the others"),
        .init(.json, ["--json"], .none, "with status and once: write JSON"),
    ]
}
