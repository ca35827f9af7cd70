// ★ Table: the commands for keys and certificates.
extension CommandTable {
    static let certificates: [Command] = [
        Command(
            "import",
            "store the keys and certificates of a file",
            options: OptionTable.importItems,
            operands: .one("file"),
            remarks: [
                "The file is DER, PEM or PKCS#12; - is standard input.",
                "A passphrase is asked for, or read from standard input, only if one is needed.",
                "All of the file is stored, or nothing; what is there already stays as it is.",
            ],
            run: ImportItems.run
        ),
        Command(
            "export",
            "write keys and certificates to a file",
            options: OptionTable.exportItems,
            remarks: [
                "Without -f one certificate is x509, one key openssl, and several items pemseq.",
                "A file with a private key can be opened by its owner alone.",
                "For pkcs12 and -w a passphrase is asked for, or read from standard input.",
            ],
            run: ExportItems.run
        ),
        Command(
            "find-certificate",
            "show certificates",
            options: OptionTable.findCertificate,
            operands: .noKeychain,
            run: FindCertificate.run
        ),
        Command(
            "find-identity",
            "show certificates with their private keys",
            options: OptionTable.findIdentity,
            operands: .noKeychain,
            remarks: ["Trusted is what leads to a root of this system; nothing is fetched."],
            run: FindIdentity.run
        ),
        Command(
            "find-key",
            "show keys",
            options: OptionTable.findKey,
            operands: .noKeychain,
            run: FindKey.run
        ),
        Command(
            "create-keypair",
            "make a key pair and store both halves",
            options: OptionTable.createKeyPair,
            operands: .one("label"),
            run: CreateKeyPair.run
        ),
    ]
}
