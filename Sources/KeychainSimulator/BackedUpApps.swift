import Cryptography
import Foundation
import KeychainModel
import Secrets

/// The files and defaults of a device's apps in a backup.
struct BackedUpApps: Codable, Sendable {
    /// The files and defaults of one app or app group.
    struct Place: Codable, Sendable {
        let owner: AppInstallations.Owner
        /// The defaults as a property list; nil if there are none.
        let preferences: Data?
        let files: [File]
    }

    /// A file or directory; a backup contains no other kinds of files.
    struct File: Codable, Sendable {
        /// The path below the container.
        let path: String
        /// The unencrypted content; nil for a directory.
        let content: Data?
        /// The protection of the file, or the class that a directory states; nil if there is none.
        let protection: Protection?
    }

    /// The facts about a protected file without its keys, which stay on the device.
    struct Protection: Codable, Sendable, Hashable {
        let fileClass: UInt8
        /// The access group; empty for a directory.
        let group: String
    }

    var places: [Place] = []

    var isEmpty: Bool { places.isEmpty }
}

/// A backup of a keychain, with files and defaults if apps have any.
///
/// Without them it is a keychain's backup as in `Documentation/Spec/backup.md`. With them it is a
/// property list that contains that backup, and the files and defaults under AES-256-GCM. Their key
/// is derived from the password. A backup without a password does not encrypt them.
struct DeviceBackup: Codable, Sendable {
    private static let start = Data("bplist".utf8)
    /// The same low cost as for the passcode: a simulated backup protects nothing.
    private static let cost = Argon2id.Cost(memoryKiB: 32, passes: 1, lanes: 1)
    /// A constant nonce, because each key seals only once.
    private static let nonce = [UInt8](repeating: 0, count: AESGCM.nonceByteCount)

    let keychain: Data
    private var apps: Data?
    /// 16 random bytes; nil if the files and defaults are not encrypted.
    private var salt: [UInt8]?
    /// A check value that distinguishes a wrong password from damage.
    private var passwordCheck: [UInt8]?

    /// Adds files and defaults to a keychain's backup; encrypts them unless the password is nil.
    init(
        _ keychain: Data,
        _ apps: BackedUpApps,
        password: SharedSecret?
    ) throws {
        self.keychain = keychain
        guard !apps.isEmpty else { return }
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        let plain = try encoder.encode(apps)
        guard let password else {
            self.apps = plain
            return
        }
        let salt = try SystemRandomSource().bytes(16)
        let (key, check) = try Self.keys(password, salt)
        self.apps = Data(
            try AESGCM.seal(
                Array(plain),
                key: key.secret,
                nonce: Self.nonce,
                authenticating: Array(keychain)
            )
        )
        self.salt = salt
        passwordCheck = check
    }

    /// Parses a backup with or without files and defaults.
    init(reading bytes: Data) throws(KeychainError) {
        guard bytes.starts(with: Self.start) else {
            keychain = bytes
            return
        }
        do {
            self = try PropertyListDecoder().decode(DeviceBackup.self, from: bytes)
        } catch { throw KeychainError(.decode, "the backup is damaged") }
    }

    /// Returns the encoded backup.
    func encoded() throws -> Data {
        guard apps != nil else { return keychain }
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        return try encoder.encode(self)
    }

    /// Returns the files and defaults.
    ///
    /// - Throws: `errSecAuthFailed` for a wrong password, and `errSecDecode` for damage.
    func openApps(password: SharedSecret?) throws(KeychainError) -> BackedUpApps {
        guard let apps else { return BackedUpApps() }
        let damage = KeychainError(.decode, "the backup is damaged")
        guard let salt else { return try Self.decode(apps) }
        guard let password else { throw KeychainError(.authFailed, "a password is needed") }
        let plain: [UInt8]
        do throws(CryptographyError) {
            let (key, check) = try Self.keys(password, salt)
            plain = check == passwordCheck ? try open(apps, key) : []
        } catch { throw damage }
        guard !plain.isEmpty else {
            throw KeychainError(.authFailed, "wrong password of the backup")
        }
        return try Self.decode(Data(plain))
    }

    private func open(
        _ sealed: Data,
        _ key: SharedSecret
    ) throws(CryptographyError) -> [UInt8] {
        try AESGCM.open(
            Array(sealed),
            key: key.secret,
            nonce: Self.nonce,
            authenticating: Array(keychain)
        ).copyBytesUnprotected()
    }

    private static func decode(_ plain: Data) throws(KeychainError) -> BackedUpApps {
        do { return try PropertyListDecoder().decode(BackedUpApps.self, from: plain) } catch {
            throw KeychainError(.decode, "the backup is damaged")
        }
    }

    private static func keys(
        _ password: SharedSecret,
        _ salt: [UInt8]
    ) throws(CryptographyError) -> (SharedSecret, [UInt8]) {
        let stretched = try Argon2id.stretch(password.secret, salt: salt, cost: cost)
        let check = try HKDF.deriveKey(
            from: stretched,
            salt: salt,
            info: Array("check of a simulated backup".utf8),
            byteCount: 16
        )
        return (SharedSecret(stretched), check.copyBytesUnprotected())
    }
}
