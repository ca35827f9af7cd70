import KeychainModel

// ★ Table: every option of the commands for keys and certificates.
extension OptionTable {
    private static let label = CommandOption(
        .label,
        ["-l"],
        .required("label"),
        "use this label, the name that users see",
        sets: .text(.label)
    )
    static let tag = CommandOption(
        .tag,
        ["--tag"],
        .required("tag"),
        "use this application tag of keys",
        sets: .bytes(.applicationTag)
    )
    private static let passphrase = CommandOption(
        .passphrase,
        ["-P"],
        .required("passphrase"),
        "use this passphrase of the file; other users can see it"
    )
    private static let nonExtractable = CommandOption(
        .nonExtractable,
        ["-x"],
        .none,
        "never let the private keys leave the keychain again"
    )
    private static let keychain: [CommandOption] = [
        .init(
            .keychainFile,
            ["-k"],
            .required("keychain"),
            "use this keychain, which create-keychain made [yours]"
        )
    ]
    private static let ineffective: [CommandOption] = [
        .init(.anyApplication, ["-A"], .none, "(no effect: access groups decide)"),
        .init(.application, ["-T"], .required("app"), "(no effect: access groups decide)"),
    ]

    static let importItems: [CommandOption] =
        [
            .init(
                .itemType,
                ["-t"],
                .required("type"),
                "import only this type: " + ImportItems.types.joined(separator: ", ")
            ),
            .init(
                .format,
                ["-f"],
                .required("format"),
                "read this format: " + ImportItems.formats.joined(separator: ", ")
                    + " [by its content]"
            ),
            .init(.wrapped, ["-w"], .none, "(no effect: wrapped keys are recognized)"),
            nonExtractable, passphrase, label, tag,
        ] + placed + keychain + ineffective + [json]

    static let exportItems: [CommandOption] =
        [
            .init(
                .itemType,
                ["-t"],
                .required("type"),
                "export this type: " + ExportedItems.types.joined(separator: ", ") + " [all]"
            ),
            .init(
                .format,
                ["-f"],
                .required("format"),
                "write this format: "
                    + ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")
            ),
            .init(.wrapped, ["-w"], .none, "wrap private keys under a passphrase"),
            .init(.pem, ["-p"], .none, "write PEM"),
            passphrase,
            .init(
                .outputFile,
                ["-o"],
                .required("file"),
                "write to this file; - is standard output [-]"
            ),
            label,
        ] + placed + keychain

    static let findCertificate: [CommandOption] =
        [
            .init(.all, ["-a"], .none, "show every match, not only the first"),
            .init(
                .certificateName,
                ["-c"],
                .required("name"),
                "match this part of the common name"
            ),
            .init(.emailAddress, ["-e"], .required("address"), "match this e-mail address"),
            .init(.showEmail, ["-m"], .none, "also write the e-mail addresses"),
            .init(.pem, ["-p"], .none, "write PEM"),
            .init(.hashes, ["-Z"], .none, "also write SHA-256 and SHA-1"),
            label,
        ] + placed + [json]

    static let deleteCertificate: [CommandOption] =
        [
            .init(
                .certificateName,
                ["-c"],
                .required("name"),
                "match this part of the common name"
            ),
            .init(
                .certificateHash,
                ["-Z"],
                .required("hash"),
                "match this SHA-1 or SHA-256 of the certificate"
            ),
            .init(.trustSettings, ["-t"], .none, "(no effect: there are no trust settings)"),
            label,
        ] + placed + [json]

    static let decodeMessage: [CommandOption] = [
        .init(.decode, ["-D"], .none, "decode a message"),
        .init(.inputFile, ["-i"], .required("file"), "read this file; - is standard input [-]"),
        .init(.outputFile, ["-o"], .required("file"), "write to this file [standard output]"),
        .init(.contentFile, ["-c"], .required("file"), "the content, if the message lacks it"),
        .init(.noContent, ["-n"], .none, "check the signatures, and write no content"),
        .init(.sign, ["-S"], .none, "(not available: see openssl cms)"),
        .init(.encrypt, ["-E", "-C"], .none, "(not available: see openssl cms)"),
        .init(
            .ineffective,
            ["-k", "-p", "-u"],
            .required("value"),
            "(no effect; nor have -p, -u)"
        ),
    ]

    static let verifyCertificate: [CommandOption] =
        [
            .init(
                .certificateFile,
                ["-c"],
                .required("file"),
                "check the certificate of this file"
            ),
            .init(
                .rootFile,
                ["-r"],
                .required("file"),
                "trust the root of this file, and no others [the roots of this system]"
            ),
            .init(
                .policy,
                ["-p"],
                .required("policy"),
                "apply this policy: "
                    + VerifyCertificate.policies.map(\.word).joined(separator: ", ") + " [basic]"
            ),
            .init(.client, ["-C"], .none, "with -p ssl: a client's certificate"),
            .init(.policyText, ["-s"], .required("host"), "with -p ssl: check this host name"),
            .init(.hostName, ["-n"], .required("name"), "the same as -s"),
            .init(
                .verifyDate,
                ["-d"],
                .required("date"),
                "check at this time, YYYY-MM-DD-hh:mm:ss in UTC [now]"
            ),
            .init(.noKeychains, ["-N"], .none, "look into no keychain"),
            .init(.quiet, ["-q"], .none, "write nothing"),
            .init(
                .ineffectiveFlag,
                ["-L", "-l", "-P", "-t", "-v"],
                .none,
                "(no effect; nor have -l, -P, -t, -v)"
            ),
            .init(
                .ineffective,
                ["-R"],
                .required("check"),
                "check revocation so: none, offline; there are no other checks [none]"
            ),
        ] + keychain

    static let findIdentity: [CommandOption] = [
        .init(
            .policy,
            ["-p"],
            .required("policy"),
            "apply this policy: " + IdentityPolicy.table.map(\.word).joined(separator: ", ")
                + " [basic]"
        ),
        .init(.policyText, ["-s"], .required("string"), "check this host name, with -p ssl-server"),
        .init(.validOnly, ["-v"], .none, "show only identities that are trusted now"),
        json,
    ]

    static let findKey: [CommandOption] =
        [
            .init(
                .applicationLabel,
                ["-a"],
                .required("hash"),
                "match this application label: the hexadecimal SHA-1 of the public key",
                sets: .hexadecimal(.applicationLabel)
            ),
            label, tag,
            .init(
                .keyType,
                ["-t"],
                .required("class"),
                "match this class: " + KeyTypeName.classNames.joined(separator: ", ")
            ),
            .init(.canEncrypt, ["-e"], .none, "match keys that encrypt", sets: .flag(.canEncrypt)),
            .init(.canDecrypt, ["-d"], .none, "match keys that decrypt", sets: .flag(.canDecrypt)),
            .init(.canSign, ["-s"], .none, "match keys that sign", sets: .flag(.canSign)),
            .init(.canVerify, ["-v"], .none, "match keys that verify", sets: .flag(.canVerify)),
            .init(.canWrap, ["-w"], .none, "match keys that wrap", sets: .flag(.canWrap)),
            .init(.canUnwrap, ["-u"], .none, "match keys that unwrap", sets: .flag(.canUnwrap)),
            .init(.canDerive, ["-r"], .none, "match keys that derive", sets: .flag(.canDerive)),
            .init(.pem, ["-p"], .none, "write the public half in PEM"),
        ] + placed + [json]

    static let createKeyPair: [CommandOption] =
        [
            .init(
                .algorithm,
                ["-a"],
                .required("algorithm"),
                "use this algorithm: rsa, ec, ed25519, x25519 [rsa]"
            ),
            .init(
                .size,
                ["-s"],
                .required("bits"),
                "use this size [3072 for rsa, 256 for the others]"
            ),
            nonExtractable, tag,
            .init(.pem, ["-p"], .none, "write the public half in PEM"),
        ] + placed + keychain + ineffective + [json]
}
