import Foundation
import Security

/// Carries secrets across a transfer of the app to another team.
///
/// A new team identifier closes every item of the old one for good. The last version under the old
/// team exports the secrets into a file of the app's own container. The first version under the new
/// team imports and deletes it. The file is sealed for a key of your server: fetch the private half
/// over the user's session when the import runs.
struct TeamBridge {
    let file: URL
    let store: any SecretStore

    private static let algorithm =
        SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA256AESGCM

    /// The last version under the old team calls this, and again whenever a secret changes.
    func export(_ accounts: [String], for publicKey: SecKey) throws {
        var secrets: [String: Data] = [:]
        for account in accounts { secrets[account] = try store.read(account: account) }
        let plain = try JSONEncoder().encode(secrets)
        var error: Unmanaged<CFError>?
        let sealed = SecKeyCreateEncryptedData(
            publicKey,
            Self.algorithm,
            plain as CFData,
            &error
        )
        guard let sealed else { throw KeychainError("seal", "the bridge", errSecParam) }
        try (sealed as Data).write(to: file, options: [.atomic])
    }

    /// The first version under the new team calls this, and returns the accounts that arrived.
    func importAll(with privateKey: SecKey) throws -> [String] {
        guard FileManager.default.fileExists(atPath: file.path) else { return [] }
        let sealed = try Data(contentsOf: file)
        var error: Unmanaged<CFError>?
        let plain = SecKeyCreateDecryptedData(
            privateKey,
            Self.algorithm,
            sealed as CFData,
            &error
        )
        guard let plain else { throw KeychainError("open", "the bridge", errSecDecode) }
        let secrets = try JSONDecoder().decode([String: Data].self, from: plain as Data)
        for (account, secret) in secrets {
            try store.save(secret, account: account)
            guard try store.read(account: account) == secret else {
                throw KeychainError("verify", account, errSecDecode)
            }
        }
        try FileManager.default.removeItem(at: file)
        return secrets.keys.sorted()
    }
}
