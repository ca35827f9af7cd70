import Security
import Testing

/// ★ Every algorithm with Apple's identifier, from which the tests read what it is for.
struct AlgorithmRow: Sendable, Hashable, CustomTestStringConvertible {
    let algorithm: SecKeyAlgorithm
    /// Without the leading `algid:`.
    let identifier: String

    private init(_ algorithm: SecKeyAlgorithm, _ identifier: String) {
        self.algorithm = algorithm
        self.identifier = identifier
    }

    var testDescription: String { identifier }

    static let all = rsaSignatures + curveSignatures + encryptions + agreements
    static let signatures = rsaSignatures + curveSignatures

    static let rsaSignatures: [AlgorithmRow] = [
        .init(.rsaSignatureRaw, "sign:RSA:raw"),
        .init(.rsaSignatureDigestPKCS1v15Raw, "sign:RSA:digest-PKCS1v15"),
        .init(.rsaSignatureDigestPKCS1v15SHA1, "sign:RSA:digest-PKCS1v15:SHA1"),
        .init(.rsaSignatureDigestPKCS1v15SHA224, "sign:RSA:digest-PKCS1v15:SHA224"),
        .init(.rsaSignatureDigestPKCS1v15SHA256, "sign:RSA:digest-PKCS1v15:SHA256"),
        .init(.rsaSignatureDigestPKCS1v15SHA384, "sign:RSA:digest-PKCS1v15:SHA384"),
        .init(.rsaSignatureDigestPKCS1v15SHA512, "sign:RSA:digest-PKCS1v15:SHA512"),
        .init(.rsaSignatureMessagePKCS1v15SHA1, "sign:RSA:message-PKCS1v15:SHA1"),
        .init(.rsaSignatureMessagePKCS1v15SHA224, "sign:RSA:message-PKCS1v15:SHA224"),
        .init(.rsaSignatureMessagePKCS1v15SHA256, "sign:RSA:message-PKCS1v15:SHA256"),
        .init(.rsaSignatureMessagePKCS1v15SHA384, "sign:RSA:message-PKCS1v15:SHA384"),
        .init(.rsaSignatureMessagePKCS1v15SHA512, "sign:RSA:message-PKCS1v15:SHA512"),
        .init(.rsaSignatureDigestPSSSHA1, "sign:RSA:digest-PSS:SHA1:SHA1:20"),
        .init(.rsaSignatureDigestPSSSHA224, "sign:RSA:digest-PSS:SHA224:SHA224:28"),
        .init(.rsaSignatureDigestPSSSHA256, "sign:RSA:digest-PSS:SHA256:SHA256:32"),
        .init(.rsaSignatureDigestPSSSHA384, "sign:RSA:digest-PSS:SHA384:SHA384:48"),
        .init(.rsaSignatureDigestPSSSHA512, "sign:RSA:digest-PSS:SHA512:SHA512:64"),
        .init(.rsaSignatureMessagePSSSHA1, "sign:RSA:message-PSS:SHA1:SHA1:20"),
        .init(.rsaSignatureMessagePSSSHA224, "sign:RSA:message-PSS:SHA224:SHA224:28"),
        .init(.rsaSignatureMessagePSSSHA256, "sign:RSA:message-PSS:SHA256:SHA256:32"),
        .init(.rsaSignatureMessagePSSSHA384, "sign:RSA:message-PSS:SHA384:SHA384:48"),
        .init(.rsaSignatureMessagePSSSHA512, "sign:RSA:message-PSS:SHA512:SHA512:64"),
    ]

    static let curveSignatures: [AlgorithmRow] = [
        .init(.ecdsaSignatureRFC4754, "sign:ECDSA:RFC4754"),
        .init(.ecdsaSignatureDigestX962, "sign:ECDSA:digest-X962"),
        .init(.ecdsaSignatureDigestX962SHA1, "sign:ECDSA:digest-X962:SHA1"),
        .init(.ecdsaSignatureDigestX962SHA224, "sign:ECDSA:digest-X962:SHA224"),
        .init(.ecdsaSignatureDigestX962SHA256, "sign:ECDSA:digest-X962:SHA256"),
        .init(.ecdsaSignatureDigestX962SHA384, "sign:ECDSA:digest-X962:SHA384"),
        .init(.ecdsaSignatureDigestX962SHA512, "sign:ECDSA:digest-X962:SHA512"),
        .init(.ecdsaSignatureMessageX962SHA1, "sign:ECDSA:message-X962:SHA1"),
        .init(.ecdsaSignatureMessageX962SHA224, "sign:ECDSA:message-X962:SHA224"),
        .init(.ecdsaSignatureMessageX962SHA256, "sign:ECDSA:message-X962:SHA256"),
        .init(.ecdsaSignatureMessageX962SHA384, "sign:ECDSA:message-X962:SHA384"),
        .init(.ecdsaSignatureMessageX962SHA512, "sign:ECDSA:message-X962:SHA512"),
        .init(.ecdsaSignatureDigestRFC4754SHA1, "sign:ECDSA:digest-RFC4754:SHA1"),
        .init(.ecdsaSignatureDigestRFC4754SHA224, "sign:ECDSA:digest-RFC4754:SHA224"),
        .init(.ecdsaSignatureDigestRFC4754SHA256, "sign:ECDSA:digest-RFC4754:SHA256"),
        .init(.ecdsaSignatureDigestRFC4754SHA384, "sign:ECDSA:digest-RFC4754:SHA384"),
        .init(.ecdsaSignatureDigestRFC4754SHA512, "sign:ECDSA:digest-RFC4754:SHA512"),
        .init(.ecdsaSignatureMessageRFC4754SHA1, "sign:ECDSA:message-RFC4754:SHA1"),
        .init(.ecdsaSignatureMessageRFC4754SHA224, "sign:ECDSA:message-RFC4754:SHA224"),
        .init(.ecdsaSignatureMessageRFC4754SHA256, "sign:ECDSA:message-RFC4754:SHA256"),
        .init(.ecdsaSignatureMessageRFC4754SHA384, "sign:ECDSA:message-RFC4754:SHA384"),
        .init(.ecdsaSignatureMessageRFC4754SHA512, "sign:ECDSA:message-RFC4754:SHA512"),
        .init(.eddsaSignatureMessageCurve25519SHA512, "sign:EdDSA:message-Curve25519:SHA512"),
    ]

    static let encryptions: [AlgorithmRow] = [
        .init(.rsaEncryptionRaw, "encrypt:RSA:raw"),
        .init(.rsaEncryptionPKCS1, "encrypt:RSA:PKCS1"),
        .init(.rsaEncryptionOAEPSHA1, "encrypt:RSA:OAEP:SHA1"),
        .init(.rsaEncryptionOAEPSHA224, "encrypt:RSA:OAEP:SHA224"),
        .init(.rsaEncryptionOAEPSHA256, "encrypt:RSA:OAEP:SHA256"),
        .init(.rsaEncryptionOAEPSHA384, "encrypt:RSA:OAEP:SHA384"),
        .init(.rsaEncryptionOAEPSHA512, "encrypt:RSA:OAEP:SHA512"),
        .init(.rsaEncryptionOAEPSHA1AESGCM, "encrypt:RSA:OAEP:SHA1:AESGCM"),
        .init(.rsaEncryptionOAEPSHA224AESGCM, "encrypt:RSA:OAEP:SHA224:AESGCM"),
        .init(.rsaEncryptionOAEPSHA256AESGCM, "encrypt:RSA:OAEP:SHA256:AESGCM"),
        .init(.rsaEncryptionOAEPSHA384AESGCM, "encrypt:RSA:OAEP:SHA384:AESGCM"),
        .init(.rsaEncryptionOAEPSHA512AESGCM, "encrypt:RSA:OAEP:SHA512:AESGCM"),
        .init(.eciesEncryptionStandardX963SHA1AESGCM, "encrypt:ECIES:ECDH:KDFX963:SHA1:AESGCM"),
        .init(.eciesEncryptionStandardX963SHA224AESGCM, "encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM"),
        .init(.eciesEncryptionStandardX963SHA256AESGCM, "encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM"),
        .init(.eciesEncryptionStandardX963SHA384AESGCM, "encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM"),
        .init(.eciesEncryptionStandardX963SHA512AESGCM, "encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM"),
        .init(
            .eciesEncryptionStandardVariableIVX963SHA224AESGCM,
            "encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM-KDFIV"
        ),
        .init(
            .eciesEncryptionStandardVariableIVX963SHA256AESGCM,
            "encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM-KDFIV"
        ),
        .init(
            .eciesEncryptionStandardVariableIVX963SHA384AESGCM,
            "encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM-KDFIV"
        ),
        .init(
            .eciesEncryptionStandardVariableIVX963SHA512AESGCM,
            "encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM-KDFIV"
        ),
        .init(.eciesEncryptionCofactorX963SHA1AESGCM, "encrypt:ECIES:ECDHC:KDFX963:SHA1:AESGCM"),
        .init(
            .eciesEncryptionCofactorX963SHA224AESGCM,
            "encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM"
        ),
        .init(
            .eciesEncryptionCofactorX963SHA256AESGCM,
            "encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM"
        ),
        .init(
            .eciesEncryptionCofactorX963SHA384AESGCM,
            "encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM"
        ),
        .init(
            .eciesEncryptionCofactorX963SHA512AESGCM,
            "encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM"
        ),
        .init(
            .eciesEncryptionCofactorVariableIVX963SHA224AESGCM,
            "encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM-KDFIV"
        ),
        .init(
            .eciesEncryptionCofactorVariableIVX963SHA256AESGCM,
            "encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM-KDFIV"
        ),
        .init(
            .eciesEncryptionCofactorVariableIVX963SHA384AESGCM,
            "encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM-KDFIV"
        ),
        .init(
            .eciesEncryptionCofactorVariableIVX963SHA512AESGCM,
            "encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM-KDFIV"
        ),
    ]

    static let agreements: [AlgorithmRow] = [
        .init(.ecdhKeyExchangeStandard, "keyexchange:ECDH"),
        .init(.ecdhKeyExchangeStandardX963SHA1, "keyexchange:ECDH:KDFX963:SHA1"),
        .init(.ecdhKeyExchangeStandardX963SHA224, "keyexchange:ECDH:KDFX963:SHA224"),
        .init(.ecdhKeyExchangeStandardX963SHA256, "keyexchange:ECDH:KDFX963:SHA256"),
        .init(.ecdhKeyExchangeStandardX963SHA384, "keyexchange:ECDH:KDFX963:SHA384"),
        .init(.ecdhKeyExchangeStandardX963SHA512, "keyexchange:ECDH:KDFX963:SHA512"),
        .init(.ecdhKeyExchangeCofactor, "keyexchange:ECDHC"),
        .init(.ecdhKeyExchangeCofactorX963SHA1, "keyexchange:ECDHC:KDFX963:SHA1"),
        .init(.ecdhKeyExchangeCofactorX963SHA224, "keyexchange:ECDHC:KDFX963:SHA224"),
        .init(.ecdhKeyExchangeCofactorX963SHA256, "keyexchange:ECDHC:KDFX963:SHA256"),
        .init(.ecdhKeyExchangeCofactorX963SHA384, "keyexchange:ECDHC:KDFX963:SHA384"),
        .init(.ecdhKeyExchangeCofactorX963SHA512, "keyexchange:ECDHC:KDFX963:SHA512"),
    ]
}

// What an identifier says.
extension AlgorithmRow {
    private var words: [String] {
        identifier.split { $0 == ":" || $0 == "-" }.map(String.init)
    }

    /// Whether a key of 2048 bits or on any curve can be used so.
    func suits(_ pair: KeyPair) -> Bool {
        switch (words[0], words[1]) {
        case (_, "RSA"): pair.type == 42
        case (_, "ECDSA"), (_, "ECIES"): pair.type == 73
        case (_, "EdDSA"): pair.type == 105
        case ("keyexchange", _): pair.type == 73 || pair.type == 106
        default: false
        }
    }

    /// Whether it is for the operation.
    func serves(_ operation: SecKeyOperationType) -> Bool {
        switch operation {
        case .sign, .verify: words[0] == "sign"
        case .encrypt, .decrypt: words[0] == "encrypt"
        case .keyExchange: words[0] == "keyexchange"
        default: false
        }
    }

    /// The size of the digest that it takes; nil if it takes anything.
    var digestByteCount: Int? {
        guard words.contains("digest") else { return nil }
        let sizes = ["SHA1": 20, "SHA224": 28, "SHA256": 32, "SHA384": 48, "SHA512": 64]
        return words.lazy.compactMap { sizes[$0] }.first
    }

    /// Whether it notices every change of the ciphertext.
    var isAuthenticated: Bool { words.contains("AESGCM") }
    var isRaw: Bool { words.contains("raw") }
    /// Whether it derives a key from what was agreed.
    var derives: Bool { words.contains("KDFX963") }
}

/// An algorithm and a kind of key that it is for.
struct AlgorithmUse: Sendable, CustomTestStringConvertible {
    let row: AlgorithmRow
    let pair: KeyPair

    var algorithm: SecKeyAlgorithm { row.algorithm }
    var testDescription: String { "\(row.identifier) with \(pair.testDescription)" }

    private static func uses(of rows: [AlgorithmRow]) -> [AlgorithmUse] {
        rows.flatMap { row in
            KeyPair.all.filter(row.suits).map { AlgorithmUse(row: row, pair: $0) }
        }
    }

    static let signatures = uses(of: AlgorithmRow.signatures)
    static let encryptions = uses(of: AlgorithmRow.encryptions)
    static let agreements = uses(of: AlgorithmRow.agreements)

    /// Every kind of key with every algorithm that does not serve for the operation with it.
    static func misfits(for operation: SecKeyOperationType) -> [AlgorithmUse] {
        AlgorithmRow.all.flatMap { row in
            KeyPair.all.filter { !row.suits($0) || !row.serves(operation) }
                .map { AlgorithmUse(row: row, pair: $0) }
        }
    }
}
