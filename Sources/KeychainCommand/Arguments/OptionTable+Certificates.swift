import KeychainModel

// ★ Table: every option of the commands for keys and certificates.
extension OptionTable {
    private static let label = CommandOption(
        .label,
        ["-l"],
        .required("label"),
        "the name shown to people",
        sets: .text(.label)
    )
    private static let tag = CommandOption(
        .tag,
        ["--tag"],
        .required("tag"),
        "the application tag of keys",
        sets: .bytes(.applicationTag)
    )
    private static let passphrase = CommandOption(
        .passphrase,
        ["-P"],
        .required("passphrase"),
        "the file's passphrase, visible to other users"
    )
    private static let nonExtractable = CommandOption(
        .nonExtractable,
        ["-x"],
        .none,
        "private keys do not leave the keychain again"
    )
    private static let ineffective: [CommandOption] = [
        .init(.keychainFile, ["-k"], .required("keychain"), "accepted without effect")
    ]
    private static let ineffectiveAccess: [CommandOption] =
        ineffective + [
            .init(.anyApplication, ["-A"], .none, "accepted without effect"),
            .init(.application, ["-T"], .required("application"), "accepted without effect"),
        ]

    static let importItems: [CommandOption] =
        [
            .init(
                .itemType,
                ["-t"],
                .required("type"),
                ImportItems.types.joined(separator: ", ") + ": nothing else is taken"
            ),
            .init(
                .format,
                ["-f"],
                .required("format"),
                ImportItems.formats.joined(separator: ", ") + "; only raw has to be told"
            ),
            .init(.wrapped, ["-w"], .none, "accepted without effect: wrapped keys are recognized"),
            nonExtractable, passphrase, label, tag,
        ] + placed + ineffectiveAccess + [json]

    static let exportItems: [CommandOption] =
        [
            .init(
                .itemType,
                ["-t"],
                .required("type"),
                ExportedItems.types.joined(separator: ", ")
            ),
            .init(
                .format,
                ["-f"],
                .required("format"),
                ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")
            ),
            .init(.wrapped, ["-w"], .none, "wrap private keys under a passphrase"),
            .init(.pem, ["-p"], .none, "write PEM"),
            passphrase,
            .init(.outputFile, ["-o"], .required("file"), "where to write; - is standard output"),
            label,
        ] + placed + ineffective

    static let findCertificate: [CommandOption] =
        [
            .init(.all, ["-a"], .none, "show all that match, not the first alone"),
            .init(.certificateName, ["-c"], .required("name"), "a part of the common name"),
            .init(.emailAddress, ["-e"], .required("address"), "an e-mail address"),
            .init(.showEmail, ["-m"], .none, "also write the e-mail addresses"),
            .init(.pem, ["-p"], .none, "write PEM"),
            .init(.hashes, ["-Z"], .none, "also write SHA-256 and SHA-1"),
            label,
        ] + placed + [json]

    static let findIdentity: [CommandOption] = [
        .init(
            .policy,
            ["-p"],
            .required("policy"),
            IdentityPolicy.table.map(\.word).joined(separator: ", ")
        ),
        .init(.policyText, ["-s"], .required("string"), "the host name for ssl-server"),
        .init(.validOnly, ["-v"], .none, "only identities that are trusted now"),
        json,
    ]

    static let findKey: [CommandOption] =
        [
            .init(
                .applicationLabel,
                ["-a"],
                .required("hash"),
                "the application label: SHA-1 of the public key in hexadecimal digits",
                sets: .hexadecimal(.applicationLabel)
            ),
            label, tag,
            .init(
                .keyType,
                ["-t"],
                .required("class"),
                KeyTypeName.classNames.joined(separator: ", ")
            ),
            .init(.canEncrypt, ["-e"], .none, "keys that encrypt", sets: .flag(.canEncrypt)),
            .init(.canDecrypt, ["-d"], .none, "keys that decrypt", sets: .flag(.canDecrypt)),
            .init(.canSign, ["-s"], .none, "keys that sign", sets: .flag(.canSign)),
            .init(.canVerify, ["-v"], .none, "keys that verify", sets: .flag(.canVerify)),
            .init(.canWrap, ["-w"], .none, "keys that wrap", sets: .flag(.canWrap)),
            .init(.canUnwrap, ["-u"], .none, "keys that unwrap", sets: .flag(.canUnwrap)),
            .init(.canDerive, ["-r"], .none, "keys that derive", sets: .flag(.canDerive)),
            .init(.pem, ["-p"], .none, "write the public half in PEM"),
        ] + placed + [json]

    static let createKeyPair: [CommandOption] =
        [
            .init(.algorithm, ["-a"], .required("algorithm"), "rsa, ec, ed25519, x25519"),
            .init(.size, ["-s"], .required("bits"), "the size; 3072 for rsa, 256 for the others"),
            nonExtractable, tag,
            .init(.pem, ["-p"], .none, "write the public half in PEM"),
        ] + placed + ineffectiveAccess + [json]
}
