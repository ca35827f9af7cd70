import Cryptography
import KeychainModel

/// The fields at the start of a backup, including the wrapped keys.
///
/// - Source: Documentation/Spec/backup.md §3.
package struct BackupHeader: Sendable, Equatable {
    /// The name of the keybag of the device that made the backup; 16 bytes.
    package let keybagUUID: [UInt8]

    /// 16 random bytes.
    package let salt: [UInt8]

    /// The cost of one guess of the password.
    package let cost: Argon2id.Cost

    /// 40 bytes for a class that migrates, 48 for a ThisDeviceOnly class.
    var wrappedKeys: [ProtectionClass: [UInt8]] = [:]

    /// The size of the salt in bytes.
    package static let saltByteCount = 16

    /// The size of the fields before the wrapped keys, which determine the size of the header.
    package static let prefixByteCount = 56

    /// The size of code and digest together.
    static let endByteCount = HMACSHA256.codeByteCount + 32

    private static let file = AuthenticatedFile(magic: [UInt8]("swbackup".utf8), version: 1)

    /// Returns the classes that migrate, and optionally those of ThisDeviceOnly, sorted by number.
    static func classes(withThisDeviceOnly: Bool) -> [ProtectionClass] {
        ProtectionClass.allCases.filter { protection in
            !protection.requiresPasscode && (withThisDeviceOnly || !protection.isThisDeviceOnly)
        }
    }

    private static func wrappedByteCount(of protection: ProtectionClass) -> Int {
        AESKeyWrap.keyByteCount
            + AESKeyWrap.checkByteCount * (protection.isThisDeviceOnly ? 2 : 1)
    }

    init(keybagUUID: [UInt8], salt: [UInt8], cost: Argon2id.Cost) {
        self.keybagUUID = keybagUUID
        self.salt = salt
        self.cost = cost
    }
}

extension BackupHeader {
    /// All bytes before the code.
    var encodedFields: [UInt8] {
        var bytes = Self.file.header
        bytes += [0, UInt8(clamping: wrappedKeys.count)]
        bytes += keybagUUID
        bytes += salt
        bytes.append(integer: cost.memoryKiB)
        bytes.append(integer: cost.passes)
        bytes.append(integer: cost.lanes)
        for protection in ProtectionClass.allCases {
            guard let wrapped = wrappedKeys[protection] else { continue }
            bytes.append(protection.rawValue)
            bytes += wrapped
        }
        return bytes
    }

    /// Returns the size of the header that starts with these bytes: 243 or 390.
    ///
    /// - Parameter prefix: The first 56 bytes.
    /// - Returns: The size of the whole header in bytes.
    /// - Throws: `damaged` or `unsupportedVersion`.
    package static func byteCount(startingWith prefix: [UInt8]) throws(BackupError) -> Int {
        guard prefix.count == prefixByteCount, prefix.starts(with: file.magic) else {
            throw .damaged(reason: "it is not a backup")
        }
        let version = UInt16(prefix[8]) << 8 | UInt16(prefix[9])
        guard version == file.version else { throw .unsupportedVersion(version) }
        guard prefix[10] == 0, prefix[11] == 3 || prefix[11] == 6 else {
            throw .damaged(reason: "its header has a wrong number of keys")
        }
        let classes = classes(withThisDeviceOnly: prefix[11] == 6)
        return classes.reduce(prefixByteCount + endByteCount) { $0 + 1 + wrappedByteCount(of: $1) }
    }

    /// Parses a whole header, and checks its digest.
    ///
    /// - Parameter bytes: As many bytes as `byteCount(startingWith:)` returned.
    /// - Throws: `damaged`, `unsupportedVersion` or `cryptography`.
    package init(parsing bytes: [UInt8]) throws(BackupError) {
        let count = try Self.byteCount(startingWith: Array(bytes.prefix(Self.prefixByteCount)))
        guard bytes.count == count, try Self.digest(of: bytes.dropLast(32)) == bytes.suffix(32)
        else { throw .damaged(reason: "its header was changed") }
        do throws(DeviceError) {
            var reader = ByteReader(bytes.dropFirst(12)) { reason in
                .damaged(path: "backup", reason: reason)
            }
            keybagUUID = try reader.bytes(16)
            salt = try reader.bytes(Self.saltByteCount)
            cost = Argon2id.Cost(
                memoryKiB: try reader.integer(UInt32.self),
                passes: try reader.integer(UInt32.self),
                lanes: try reader.integer(UInt32.self)
            )
            for protection in Self.classes(withThisDeviceOnly: bytes[11] == 6) {
                try reader.expect([protection.rawValue], else: "its keys are out of order")
                let wrapped = try reader.bytes(Self.wrappedByteCount(of: protection))
                wrappedKeys[protection] = wrapped
            }
        } catch {
            throw .damaged(reason: "its header is malformed")
        }
        if let words = cost.fault { throw .damaged(reason: "its password asks for \(words)") }
    }

    static func digest(of bytes: ArraySlice<UInt8>) throws(BackupError) -> ArraySlice<UInt8> {
        do throws(CryptographyError) {
            return try Digest.sha256([UInt8](bytes))[...]
        } catch { throw .cryptography(error) }
    }
}
