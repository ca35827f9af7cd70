import Foundation
import Security

/// A document in a file, sealed under a key in the keychain.
///
/// The keychain is for secrets of a few kilobytes. A document of any size goes into a file, which
/// anyone may copy: only the private key opens it. The key follows the lock state of the device,
/// and so does the document.
struct SealedDocument {
    let file: URL
    let key: SigningKey

    private static let algorithm =
        SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA256AESGCM

    func write(_ document: Data) throws {
        guard let publicKey = SecKeyCopyPublicKey(try key.key()) else {
            throw KeychainError("derive", "the public key", errSecParam)
        }
        var error: Unmanaged<CFError>?
        let sealed = SecKeyCreateEncryptedData(
            publicKey,
            Self.algorithm,
            document as CFData,
            &error
        )
        guard let sealed else { throw KeychainError("seal", file.lastPathComponent, errSecParam) }
        try (sealed as Data).write(to: file, options: [.atomic])
    }

    func read() throws -> Data {
        let sealed = try Data(contentsOf: file)
        var error: Unmanaged<CFError>?
        let document = SecKeyCreateDecryptedData(
            try key.key(),
            Self.algorithm,
            sealed as CFData,
            &error
        )
        guard let document else {
            throw KeychainError("open", file.lastPathComponent, errSecDecode)
        }
        return document as Data
    }
}
