// Definitions  "class key": here the backup's own, never the keybag's.
// Invariants   (1) Every class key is random, and belongs to one backup only.
//              (2) A ThisDeviceOnly class key is stored only under the device key and the password.
//              (3) A key that does not unwrap under the device key belongs to another device. It is
//                  not damaged, because the code of the header was checked before.

import Cryptography
import KeychainModel
import Secrets

/// The class keys of one backup, as far as they open on this device.
///
/// - Source: Documentation/Spec/backup.md §3.
package struct BackupKeybag: ~Copyable, Sendable {
    /// The whole header, as stored in the file.
    package let header: [UInt8]

    /// The code of the header: 32 bytes that are unique to this backup.
    package var headerCode: [UInt8] {
        Array(header.suffix(BackupHeader.endByteCount).prefix(HMACSHA256.codeByteCount))
    }

    private let keys: ClassKeyring

    init(header: [UInt8], keys: consuming ClassKeyring) {
        self.header = header
        self.keys = keys
    }

    /// Lends a class key; returns `nil` without calling `body` if the key does not open here.
    package borrowing func withKey<R: ~Copyable, E>(
        _ protection: ProtectionClass,
        _ body: (borrowing ClassKey) throws(E) -> R
    ) throws(E) -> R? {
        try keys.withKey(protection, body)
    }

    /// Whether items of the class can be sealed and opened.
    package func isOpen(_ protection: ProtectionClass) -> Bool { keys.isOpen(protection) }
}

extension Device {
    /// Returns the cost of a new passcode on this device; measuring it may take a second.
    package var passcodeCost: @Sendable () -> Argon2id.Cost { stretchingCost }

    /// Creates the class keys of a new backup.
    ///
    /// - Parameters:
    ///   - password: The password, stretched with the same salt and cost.
    ///   - salt: 16 random bytes for the header.
    ///   - cost: The cost for the header.
    ///   - includesThisDeviceOnly: Whether to create keys for items that only this device can open.
    /// - Returns: The open keys, and the header that contains them.
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

    /// Opens the class keys of a backup; those of another device stay closed.
    ///
    /// - Parameters:
    ///   - bytes: The whole header.
    ///   - password: The password, stretched as the header requires.
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

    /// Unwraps a key; returns nil if the wrapping key is another one.
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
