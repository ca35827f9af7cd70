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
                "If the file needs a passphrase, the command prompts for it or reads a pipe.",
                "It stores the whole file or nothing. Items that exist already stay unchanged.",
            ],
            example: "keychainctl import server.p12",
            run: ImportItems.run
        ),
        Command(
            "export",
            "write keys and certificates to a file",
            options: OptionTable.exportItems,
            remarks: [
                "Without -f it writes one certificate as x509, one key as openssl, more as pemseq.",
                "Only you can open a file that holds a private key (mode 600).",
                "For pkcs12 and -w it prompts for a passphrase, or reads it from a pipe.",
            ],
            example: "keychainctl export -t certs -f pemseq -o certificates.pem",
            run: ExportItems.run
        ),
        Command(
            "find-certificate",
            "show certificates",
            options: OptionTable.findCertificate,
            operands: .keychain,
            example: "keychainctl find-certificate -c example.org -p",
            run: FindCertificate.run
        ),
        Command(
            "find-identity",
            "show certificates with their private keys",
            options: OptionTable.findIdentity,
            operands: .keychain,
            remarks: [
                "A certificate is trusted if it leads to a root of this system."
            ],
            example: "keychainctl find-identity -v -p ssl-server -s example.org",
            run: FindIdentity.run
        ),
        Command(
            "find-key",
            "show keys",
            options: OptionTable.findKey,
            operands: .keychain,
            example: "keychainctl find-key -l server -p",
            run: FindKey.run
        ),
        Command(
            "create-keypair",
            "create a key pair and store both keys",
            options: OptionTable.createKeyPair,
            operands: .one("label"),
            example: "keychainctl create-keypair -a ec -s 256 server",
            run: CreateKeyPair.run
        ),
    ]
}
