import Cryptography
import Secrets

/// The keys derived from a backup's password; wiped at the end of the value's life.
///
/// - Source: Documentation/Spec/backup.md §3.
package struct BackupPassword: ~Copyable, Sendable {
    /// The key that wraps the backup's class keys.
    let wrappingKey: Secret

    /// The key of the authentication codes of header, records and trailer.
    package let authenticationKey: Secret

    /// Stretches the password; takes as long as the cost says.
    ///
    /// - Throws: `emptyPassword` or `cryptography`.
    package init(
        _ password: borrowing Secret,
        salt: [UInt8],
        cost: Argon2id.Cost
    ) throws(BackupError) {
        guard password.byteCount > 0 else { throw .emptyPassword }
        let key = try Self.translating { () throws(CryptographyError) in
            try Argon2id.stretch(password, salt: salt, cost: cost)
        }
        let wrapping = try Self.derive(from: key, salt, "backup wrapping")
        let authentication = try Self.derive(from: key, salt, "backup authentication")
        wrappingKey = wrapping
        authenticationKey = authentication
    }

    private static func derive(
        from key: borrowing Secret,
        _ salt: [UInt8],
        _ context: String
    ) throws(BackupError) -> Secret {
        try translating { () throws(CryptographyError) in
            try HKDF.deriveKey(from: key, salt: salt, info: Array(context.utf8), byteCount: 32)
        }
    }

    private static func translating(
        _ body: () throws(CryptographyError) -> Secret
    ) throws(BackupError) -> Secret {
        do throws(CryptographyError) { return try body() } catch { throw .cryptography(error) }
    }
}

extension Argon2id.Cost {
    /// The cost of a backup's password, for a device's passcode cost: four times the passes.
    package var ofBackup: Argon2id.Cost {
        Argon2id.Cost(memoryKiB: memoryKiB, passes: min(64, passes &* 4), lanes: lanes)
    }
}
