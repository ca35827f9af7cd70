// ★ Item classes and keys: one row for each rule.

extension Catalogue {
    static let itemClasses: [Rule] = [
        Rule(
            "KC401",
            "generic-for-web-credential",
            .warning,
            .flow,
            "A generic password for a web site is invisible to password AutoFill.",
            advice: "Use kSecClassInternetPassword with kSecAttrServer.",
            source: "Item classes guide",
            owasp: "MASVS-STORAGE-1"
        ),
        Rule(
            "KC402",
            "identity-add",
            .error,
            .flow,
            "An identity is a certificate and its key. SecItemAdd cannot make one from "
                + "attributes (-50).",
            advice: "Import a PKCS#12 file, or add certificate and key.",
            source: "Item classes guide",
            dynamic: true
        ),
        Rule(
            "KC403",
            "key-without-type-size-or-class",
            .error,
            .flow,
            "A key needs its type, a new one also its size. A query by tag alone can return"
                + " the wrong half of a pair.",
            advice:
                "Name kSecAttrKeyType, the size for a new key, and kSecAttrKeyClass in queries.",
            source: "Item classes guide",
            owasp: "MASVS-CRYPTO-2",
            dynamic: true,
            yieldsTo: ["KC409"]
        ),
        Rule(
            "KC404",
            "application-label-misuse",
            .error,
            .flow,
            "The system sets kSecAttrApplicationLabel to a hash of the public key. Your "
                + "value keeps the key from its certificate.",
            advice: "Name the key with kSecAttrApplicationTag and Data.",
            source: "Item classes guide",
            owasp: "MASVS-CRYPTO-2",
            dynamic: true
        ),
        Rule(
            "KC405",
            "tag-on-non-key",
            .error,
            .flow,
            "Only keys have kSecAttrApplicationTag. The call fails.",
            advice: "Use kSecAttrLabel for a certificate; service or server for a password.",
            source: "Item classes guide",
            dynamic: true
        ),
        Rule(
            "KC406",
            "attribute-not-for-class",
            .error,
            .flow,
            "This class does not have the attribute. The call fails with -25303, or ignores it.",
            advice: "Remove the attribute, or use the class that has it.",
            source: "Item classes guide; Apple Security source (Security-61901)",
            dynamic: true,
            yieldsTo: ["KC405", "KC404"]
        ),
        Rule(
            "KC407",
            "raw-key-data-add",
            .warning,
            .flow,
            "A key that is added as bytes has no metadata.",
            advice: "Create it with SecKeyCreateWithData and add it as kSecValueRef.",
            source: "Item classes guide",
            owasp: "MASVS-CRYPTO-2",
            yieldsTo: ["KC409"]
        ),
        Rule(
            "KC408",
            "pem-to-certificate",
            .warning,
            .flow,
            "SecCertificateCreateWithData reads DER. It returns nil for PEM text.",
            advice: "Decode the Base64 text between the markers first.",
            source: "Item classes guide; Certificate trust guide"
        ),
        Rule(
            "KC409",
            "non-nist-key-as-key-class",
            .error,
            .flow,
            "The keychain has no SecKey form for this kind of key.",
            advice: "Store its bytes as a generic password.",
            source: "Item classes guide",
            owasp: "MASVS-CRYPTO-2",
            yieldsTo: ["KC404"]
        ),
        Rule(
            "KC410",
            "primary-key-in-update",
            .error,
            .flow,
            "An update that changes the primary key fails, or renames the item while others"
                + " read it.",
            advice: "Read the item, add it under its new name, read that back, delete the old one.",
            source: "Migration guide",
            owasp: "MASVS-STORAGE-1",
            dynamic: true
        ),
        Rule(
            "KC411",
            "label-as-identity",
            .note,
            .flow,
            "A label is not unique.",
            advice: "Identify the item by service and account.",
            source: "Item classes guide; Security review notes"
        ),
    ]
}
