import Cryptography
import DataProtection
import Glibc
import KeychainEngine
import KeychainModel
import Secrets

/// The file `sealed-passcode` of a keychain: its passcode, sealed under a key of a chip.
///
/// Opening it takes both the file and the chip.
/// - Source: Documentation/Spec/keybag.md §8.
struct SealedPasscode {
    private static let magic = [UInt8]("swsealed".utf8) + [0, 1]
    private static let saltByteCount = 16
    private static let keyByteLimit = 2048
    private static let info = [UInt8]("sealed passcode".utf8)

    private let directory: String
    private var path: String { directory + "/sealed-passcode" }

    /// Names the file, without reading or creating it.
    init(in home: KeychainHome) { directory = home.directory }

    /// Replaces the file with one for this passcode.
    ///
    /// - Throws: The errors of the chip; the status of a system error.
    func write(_ passcode: SharedSecret, on chip: any SecureChip) throws(KeychainError) {
        let bytes = try fromDevice(try Self.seal(passcode.secret, on: chip))
        // An account whose keychain is in the daemon has no directory yet.
        try fromStorage(OwnDirectory.make(directory))
        let file = try BackupFileWriter(path: path)
        try file.write(bytes)
        try file.finish()
    }

    /// Opens the file.
    ///
    /// - Throws: `errSecNotAvailable` if there is none, or if it is damaged or of another chip.
    func open(on chip: any SecureChip) throws(KeychainError) -> SharedSecret {
        guard let bytes = SmallFile.bytes(at: path) else {
            let reason = "no passcode is sealed to this machine: run keychainctl passcode seal"
            throw KeychainError(.notAvailable, reason)
        }
        let keyStart = Self.magic.count + Self.saltByteCount + AESGCM.nonceByteCount + 2
        guard bytes.starts(with: Self.magic), bytes.count > keyStart else { throw damaged }
        let keyByteCount = Int(bytes[keyStart - 2]) << 8 | Int(bytes[keyStart - 1])
        let bodyStart = keyStart + keyByteCount
        guard (1...Self.keyByteLimit).contains(keyByteCount), bytes.count > bodyStart else {
            throw damaged
        }
        let saltEnd = Self.magic.count + Self.saltByteCount
        let salt = Array(bytes[Self.magic.count..<saltEnd])
        let nonce = bytes[saltEnd..<(saltEnd + AESGCM.nonceByteCount)]
        let wrapped = Array(bytes[keyStart..<bodyStart])
        let key = try fromDevice(try Self.key(salt: salt, chip, wrapped))
        do throws(CryptographyError) {
            let passcode = try AESGCM.open(
                bytes[bodyStart...],
                key: key,
                nonce: nonce,
                authenticating: Array(bytes[..<bodyStart])
            )
            return SharedSecret(passcode)
        } catch { throw damaged }
    }

    /// Removes the file, whose passcode is no longer valid.
    ///
    /// - Returns: Whether there was one.
    func remove() throws(KeychainError) -> Bool {
        if unlink(path) == 0 { return true }
        guard errno == ENOENT else { throw .failed("unlink", path) }
        return false
    }

    private var damaged: KeychainError {
        KeychainError(.notAvailable, "\(path) is damaged: run keychainctl passcode seal again")
    }

    /// Returns the bytes of the file.
    private static func seal(
        _ passcode: borrowing Secret,
        on chip: any SecureChip
    ) throws(DeviceError) -> [UInt8] {
        let key = try chip.makeKey()
        let salt = try random(saltByteCount)
        let nonce = try random(AESGCM.nonceByteCount)
        let size = [UInt8(key.count >> 8), UInt8(key.count & 0xFF)]
        let header = magic + salt + nonce + size + key
        let wrapping = try Self.key(salt: salt, chip, key)
        do throws(CryptographyError) {
            let sealed = try AESGCM.seal(
                passcode,
                key: wrapping,
                nonce: nonce,
                authenticating: header
            )
            return header + sealed
        } catch { throw .cryptography(error) }
    }

    private static func random(_ byteCount: Int) throws(DeviceError) -> [UInt8] {
        do throws(CryptographyError) {
            return try SystemRandomSource().bytes(byteCount)
        } catch { throw .cryptography(error) }
    }

    /// Derives the sealing key from the chip's code of the salt.
    private static func key(
        salt: [UInt8],
        _ chip: any SecureChip,
        _ key: [UInt8]
    ) throws(DeviceError) -> Secret {
        let code = try chip.authenticate(Secret(copying: info + salt), under: key)
        do throws(CryptographyError) {
            return try HKDF.deriveKey(from: code, salt: salt, info: info, byteCount: 32)
        } catch { throw .cryptography(error) }
    }
}
