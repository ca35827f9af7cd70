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
            "delete-certificate",
            "delete a certificate, and keep its key",
            options: OptionTable.deleteCertificate,
            operands: .keychain,
            remarks: [oneRemark],
            example: "keychainctl delete-certificate -c example.org",
            run: DeleteCertificate(deletesKey: false).run
        ),
        Command(
            "delete-identity",
            "delete a certificate and its private key",
            options: OptionTable.deleteCertificate,
            operands: .keychain,
            remarks: [oneRemark, "A key that another certificate needs stays."],
            example: "keychainctl delete-identity -c example.org",
            run: DeleteCertificate(deletesKey: true).run
        ),
        Command(
            "delete-key",
            "delete a key, or both halves of a pair",
            options: OptionTable.findKey,
            operands: .keychain,
            remarks: [
                "Name it with the options of find-key. With -t private or -t public, the other",
                "half stays. If several keys match, it deletes none and lists them.",
            ],
            example: "keychainctl delete-key -l server",
            run: DeleteKey.run
        ),
        Command(
            "cms",
            "write the content of a signed message",
            options: OptionTable.decodeMessage,
            remarks: [
                "The message is DER or PEM, such as a provisioning profile. The signatures must",
                "fit. It does not demand that a signer is trusted: a note says who signed.",
            ],
            example: "keychainctl cms -D -i app.mobileprovision",
            run: DecodeMessage.run
        ),
        Command(
            "verify-cert",
            "check whether a certificate is trusted",
            options: OptionTable.verifyCertificate,
            operands: .any("URL"),
            remarks: [
                "Give the certificate first, then those that connect it to a root, each with -c.",
                "It also looks into the keychain. It fetches nothing, and checks no revocation.",
                "It exits with 1 if the certificate is not trusted, and names the reason.",
            ],
            example: "keychainctl verify-cert -c server.pem -p ssl -s example.org",
            run: VerifyCertificate.run
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

    private static let oneRemark =
        "If several certificates match, it deletes none and lists them. Name one with -Z."
}
