import Cryptography
import KeyRepresentation
import KeychainModel
import Secrets

/// A reader for files of keys and certificates, in DER or PEM, that recognizes their content.
///
/// It reads possible private keys only in memory that is wiped.
struct ContentsReader {
    // ★ Table: the labels of PEM blocks with their content. Certificates have had two labels.
    private static let documents: [String: DERDocument] = [
        "CERTIFICATE": .certificate,
        "X509 CERTIFICATE": .certificate,
        "PUBLIC KEY": .publicKey,
        "RSA PUBLIC KEY": .rsaPublicKey,
        "PRIVATE KEY": .privateKey,
        "ENCRYPTED PRIVATE KEY": .encryptedPrivateKey,
        "RSA PRIVATE KEY": .rsaPrivateKey,
        "EC PRIVATE KEY": .ecPrivateKey,
        "PKCS12": .pkcs12,
    ]

    private let passphrase: Passphrase
    private var contents = ImportedContents()

    /// Makes a reader that prompts for the passphrase only when it needs one.
    init(passphrase: Passphrase) { self.passphrase = passphrase }

    /// Reads a whole file.
    ///
    /// - Throws: `errSecUnknownFormat` for a file without anything to import; `errSecDecode` for a
    ///   damaged one; `errSecAuthFailed` for a wrong passphrase.
    func contents(of file: borrowing Secret) throws(CommandFailure) -> ImportedContents {
        var reader = self
        if PEMReader.recognizes(file) {
            for block in try Self.blocks(file) { try reader.read(block) }
        } else {
            try reader.read(file, try Self.document(file))
        }
        return reader.contents
    }

    /// Returns the kind of a DER file.
    ///
    /// A file that begins like DER but is not of a known kind is damaged.
    private static func document(_ file: borrowing Secret) throws(CommandFailure) -> DERDocument {
        let (document, isSequence) = file.withUnsafeBytes { bytes in
            (DERDocument(recognizing: bytes), bytes.first == 0x30)
        }
        if let document { return document }
        let error =
            isSequence
            ? KeychainError(.decode, "the file is damaged, or of an unknown format")
            : KeychainError(.unknownFormat, "the file contains neither keys nor certificates")
        throw .keychain(error)
    }

    private static func blocks(_ file: borrowing Secret) throws(CommandFailure) -> [PEMBlock] {
        do throws(PEMError) {
            return try PEMReader.blocks(in: file)
        } catch {
            let reason =
                switch error {
                case .unfinished: "a PEM block of the file does not end"
                case .malformed: "a PEM block of the file is not Base64"
                }
            throw .keychain(KeychainError(.decode, reason))
        }
    }

    private mutating func read(_ block: PEMBlock) throws(CommandFailure) {
        guard let document = Self.documents[block.label] else {
            return contents.passOver(block.label)
        }
        guard !block.isEncrypted else {
            let reason = "a key is encrypted in the traditional form: convert it to PKCS#8"
            throw .keychain(KeychainError(.unsupportedFormat, reason))
        }
        try read(block.content.secret, document)
    }

    private mutating func read(
        _ bytes: borrowing Secret,
        _ document: DERDocument
    ) throws(CommandFailure) {
        switch document {
        case .pkcs12: contents.add(try archive(bytes.copyBytesUnprotected()))
        case .encryptedPrivateKey: contents.add(try privateKey(bytes.copyBytesUnprotected()))
        default:
            do throws(CryptographyError) {
                try readPlain(bytes, document)
            } catch {
                throw .keychain(Self.failure(error))
            }
        }
    }

    private mutating func readPlain(
        _ bytes: borrowing Secret,
        _ document: DERDocument
    ) throws(CryptographyError) {
        switch document {
        case .privateKey: contents.add(try PrivateKey(pkcs8: bytes))
        case .ecPrivateKey: contents.add(try PrivateKey(ecPrivateKey: bytes))
        case .rsaPrivateKey:
            contents.add(try PrivateKey(family: .rsa, externalRepresentation: bytes))
        case .certificate:
            contents.add(try Certificate(der: bytes.copyBytesUnprotected()))
        case .publicKey:
            let key = try PublicKey(subjectPublicKeyInfo: bytes.copyBytesUnprotected())
            contents.add(.init(material: .publicKey(key), name: nil))
        case .rsaPublicKey:
            let key = try PublicKey(
                family: .rsa,
                externalRepresentation: bytes.copyBytesUnprotected()
            )
            contents.add(.init(material: .publicKey(key), name: nil))
        case .pkcs12, .encryptedPrivateKey: return
        }
    }

    /// Converts an error of `Cryptography`: the file is damaged, or its content is unknown.
    private static func failure(_ error: CryptographyError) -> KeychainError {
        switch error {
        case .unknownKeyKind:
            KeychainError(.unsupportedFormat, "the file contains a key of an unknown type")
        case .invalidInput, .invalidKeySize, .authenticationFailed:
            KeychainError(.decode, "the file is damaged")
        case .backend: KeychainError(error)
        }
    }
}

// Content under a passphrase.
extension ContentsReader {
    /// Opens a PKCS#12 file; one without a passphrase, or with an empty one, causes no prompt.
    private func archive(_ der: [UInt8]) throws(CommandFailure) -> PKCS12Archive {
        if !passphrase.isGiven {
            do throws(PKCS12Error) {
                return try PKCS12Archive(parsing: der, password: Secret(copying: []))
            } catch {
                guard error == .wrongPassword else { throw .keychain(KeychainError(error)) }
            }
        }
        let password = try passphrase.known()
        return try CommandFailure.wrapping(
            try fromPKCS12(try PKCS12Archive(parsing: der, password: password.secret))
        )
    }

    private func privateKey(_ der: [UInt8]) throws(CommandFailure) -> PrivateKey {
        let password = try passphrase.known()
        return try CommandFailure.wrapping(
            try fromPKCS12(try EncryptedPrivateKey.open(der, password: password.secret))
        )
    }
}
