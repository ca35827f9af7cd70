// ★ Table: the command for SSH, and its options.
extension CommandTable {
    static let secureShell: [Command] = [
        Command(
            "ssh",
            "manage the SSH keys that keychain-ssh-agent serves",
            options: OptionTable.secureShell,
            operands: .any("generate|add|list|remove|config [file|key]"),
            remarks: [
                "generate makes a key and writes its public half. With --element the private half",
                "stays in the secure element, which is the TPM if the keychain uses one.",
                "add gives the key of a file to the running agent. With --keep it stores the key,",
                "and the certificate FILE-cert.pub if there is one. It reads no OpenSSH key with",
                "a passphrase: use ssh-add, or remove the passphrase with ssh-keygen -p.",
                "remove deletes a key, by its fingerprint, its comment or its .pub file.",
                "config writes what to add to ~/.ssh/config and to your shell's profile.",
            ],
            example: "keychainctl ssh generate --type ed25519 --require userPresence",
            run: SecureShell.run
        )
    ]
}

extension OptionTable {
    static let secureShell: [CommandOption] = [
        .init(
            .algorithm,
            ["--type", "-t"],
            .required("type"),
            "with generate: ed25519, ecdsa or rsa [ed25519; ecdsa with --element]"
        ),
        .init(
            .size,
            ["--size", "-b"],
            .required("bits"),
            "with generate: the size [256 for ecdsa, 3072 for rsa]"
        ),
        .init(.element, ["--element"], .none, "with generate: make it in the secure element"),
        .init(
            .require,
            ["--require"],
            .required("what"),
            "with generate and add --keep: prompt for this before it signs, such as userPresence"
        ),
        .init(
            .comment,
            ["-C", "--comment"],
            .required("comment"),
            "with generate and add --keep: what the key is called [you and this machine]"
        ),
        .init(.keep, ["--keep"], .none, "with add: store the key in the keychain"),
        .init(.json, ["--json"], .none, "with generate and list: write JSON"),
    ]
}
