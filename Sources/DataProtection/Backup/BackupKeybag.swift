// Definitions  "class key": here the backup's own, never the keybag's.
// Invariants   (1) Every class key is random and of one backup.
//              (2) A ThisDeviceOnly class key leaves memory wrapped under the device key alone.
//              (3) What does not unwrap under the device key is another device's, not damage: the
//                  code of the header has been checked before.

import Cryptography
import KeychainModel
import Secrets

/// The class keys of one backup, as far as they open here.
///
/// - Source: Documentation/Spec/backup.md §3.
package struct BackupKeybag: ~Copyable, Sendable {
    /// The whole header, as it stands in the file.
    package let header: [UInt8]

    /// The code of the header: 32 bytes that no other backup has.
    package var headerCode: [UInt8] {
        Array(header.suffix(BackupHeader.endByteCount).prefix(HMACSHA256.codeByteCount))
    }

    private let keys: ClassKeyring

    init(header: [UInt8], keys: consuming ClassKeyring) {
        self.header = header
        self.keys = keys
    }

    /// Lends a class key; the result is `nil`, and nothing runs, if it does not open here.
    package borrowing func withKey<R: ~Copyable, E>(
        _ protection: ProtectionClass,
        _ body: (borrowing ClassKey) throws(E) -> R
    ) throws(E) -> R? {
        try keys.withKey(protection, body)
    }

    /// Whether items of the class can be sealed or opened.
    package func isOpen(_ protection: ProtectionClass) -> Bool { keys.isOpen(protection) }
}

extension Device {
    /// What a passcode of this device shall cost; the question may take a second.
    package var passcodeCost: @Sendable () -> Argon2id.Cost { stretchingCost }

    /// Makes the class keys of a new backup.
    ///
    /// - Parameters:
    ///   - password: Stretched with the same salt and cost.
    ///   - salt: 16 random bytes.
    ///   - cost: Goes into the header.
    ///   - includesThisDeviceOnly: Whether there are keys for items that this device alone opens.
    /// - Returns: The open keys, and the header that holds them.
    /// - Throws: `device` or `cryptography`.
    package func makeBackupKeybag(
        under password: borrowing BackupPassword,
        salt: [UInt8],
        cost: Argon2id.Cost,
        includesThisDeviceOnly: Bool
    ) throws(BackupError) -> BackupKeybag {
        var header = BackupHeader(keybagUUID: keybagUUID, salt: salt, cost: cost)
        var keys = ClassKeyring()
        let deviceKey = try backupDeviceKey(salt: salt)
        do throws(CryptographyError) {
            for protection in BackupHeader.classes(withThisDeviceOnly: includesThisDeviceOnly) {
                let key = ClassKey(try random.secret(ClassKey.byteCount))
                var bound = key.secret.duplicate()
                if protection.isThisDeviceOnly {
                    bound = Secret(copying: try AESKeyWrap.wrap(bound, under: deviceKey))
                }
                header.wrappedKeys[protection] =
                    try AESKeyWrap.wrap(bound, under: password.wrappingKey)
                keys.open(protection, with: key)
            }
            var bytes = header.encodedFields
            bytes += try HMACSHA256.authenticate(bytes, key: password.authenticationKey)
            bytes += try Digest.sha256(bytes)
            return BackupKeybag(header: bytes, keys: keys)
        } catch { throw .cryptography(error) }
    }

    /// Opens the class keys of a backup; those of another device stay shut.
    ///
    /// - Parameters:
    ///   - bytes: The whole header.
    ///   - password: Stretched as the header says.
    /// - Returns: The keys that open here.
    /// - Throws: `damaged`, `unsupportedVersion`, `wrongPassword`, `device` or `cryptography`.
    package func openBackupKeybag(
        _ bytes: [UInt8],
        under password: borrowing BackupPassword
    ) throws(BackupError) -> BackupKeybag {
        let header = try BackupHeader(parsing: bytes)
        let fields = Array(bytes.dropLast(BackupHeader.endByteCount))
        let code = bytes.suffix(BackupHeader.endByteCount).prefix(HMACSHA256.codeByteCount)
        let expected = try Self.code(of: fields, under: password)
        guard constantTimeEquals(expected[...], code) else { throw .wrongPassword }
        let deviceKey = try backupDeviceKey(salt: header.salt)
        var keys = ClassKeyring()
        for (protection, wrapped) in header.wrappedKeys {
            guard let key = try Self.unwrap(wrapped, under: password.wrappingKey) else {
                throw .damaged(reason: "a class key does not unwrap")
            }
            guard protection.isThisDeviceOnly else {
                keys.open(protection, with: ClassKey(key))
                continue
            }
            let bound = key.copyBytesUnprotected()
            if let key = try Self.unwrap(bound, under: deviceKey) {
                keys.open(protection, with: ClassKey(key))
            }
        }
        return BackupKeybag(header: bytes, keys: keys)
    }

    private func backupDeviceKey(salt: [UInt8]) throws(BackupError) -> Secret {
        do throws(DeviceError) {
            return try element.tangle(salt: salt, context: "backup device key")
        } catch { throw .device(error) }
    }

    private static func code(
        of fields: [UInt8],
        under password: borrowing BackupPassword
    ) throws(BackupError) -> [UInt8] {
        do throws(CryptographyError) {
            return try HMACSHA256.authenticate(fields, key: password.authenticationKey)
        } catch { throw .cryptography(error) }
    }

    /// nil under another key.
    private static func unwrap(
        _ wrapped: [UInt8],
        under key: borrowing Secret
    ) throws(BackupError) -> Secret? {
        do throws(CryptographyError) {
            return try AESKeyWrap.unwrap(wrapped, under: key)
        } catch .authenticationFailed {
            return nil
        } catch { throw .cryptography(error) }
    }
}
