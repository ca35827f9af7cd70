import Cryptography
import Secrets

/// The content of the file `secure-element`.
///
/// - Source: Documentation/Spec/keybag.md §4.
struct SecureElementRecord: ~Copyable {
    /// The size of the UID key in bytes.
    static let uidKeyByteCount = 32

    /// The size of the whole file in bytes.
    static let byteCount = 104

    private static let file = AuthenticatedFile(magic: [UInt8]("swselmnt".utf8), version: 1)
    private static let delayFlag: UInt8 = 1

    /// The secret of this device; 32 bytes.
    let uidKey: Secret

    /// The attempt counter.
    let attempts: PasscodeAttempts

    /// Puts a record together.
    ///
    /// - Parameters:
    ///   - uidKey: 32 bytes.
    ///   - attempts: The attempt counter.
    init(uidKey: consuming Secret, attempts: PasscodeAttempts) {
        precondition(uidKey.byteCount == Self.uidKeyByteCount, "A UID key has 32 bytes.")
        self.uidKey = uidKey
        self.attempts = attempts
    }

    /// Parses and authenticates a file.
    ///
    /// - Throws: `damaged`, `unsupportedVersion` or `cryptography`.
    init(decoding bytes: [UInt8], path: String) throws(DeviceError) {
        let fault = { (reason: String) in DeviceError.damaged(path: path, reason: reason) }
        var fields = try Self.file.fields(of: bytes, fault: fault) { version in
            .unsupportedVersion(path: path, version: version)
        }
        let flags = try fields.integer(UInt8.self)
        try fields.expect([0], else: "a reserved byte is not zero")
        let failures = try fields.integer(UInt32.self)
        let bootID = try fields.bytes(DeviceInstant.bootIDByteCount)
        let uptime = try fields.duration()
        var uidBytes = try fields.bytes(Self.uidKeyByteCount)
        defer { uidBytes.wipe() }
        try fields.finish()
        guard flags & ~Self.delayFlag == 0 else { throw fault("a reserved flag is set") }
        let uidKey = Secret(copying: uidBytes)
        guard try AuthenticatedFile.isAuthentic(bytes, under: try Self.codeKey(uidKey)) else {
            throw fault("its authentication code is wrong")
        }
        let startedAt = DeviceInstant(bootID: bootID, uptime: uptime)
        let isDelayed = flags & Self.delayFlag != 0
        self.init(
            uidKey: uidKey,
            attempts: PasscodeAttempts(
                failures: failures,
                delayStartedAt: isDelayed ? startedAt : nil
            )
        )
    }

    /// Writes the file; the caller wipes the bytes after use.
    borrowing func encoded() throws(DeviceError) -> [UInt8] {
        let noBoot = [UInt8](repeating: 0, count: DeviceInstant.bootIDByteCount)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.byteCount)
        bytes += Self.file.header
        bytes.append(attempts.delayStartedAt == nil ? 0 : Self.delayFlag)
        bytes.append(0)
        bytes.append(integer: attempts.failures)
        bytes += attempts.delayStartedAt?.bootID ?? noBoot
        bytes.append(duration: attempts.delayStartedAt?.uptime ?? .zero)
        uidKey.withUnsafeBytes { key in bytes += key }
        try AuthenticatedFile.seal(&bytes, under: try Self.codeKey(uidKey))
        return bytes
    }

    private static func codeKey(_ uidKey: borrowing Secret) throws(DeviceError) -> Secret {
        try rethrow(as: DeviceError.cryptography) { () throws(CryptographyError) in
            try HKDF.deriveKey(
                from: uidKey,
                salt: [],
                info: [UInt8]("secure element authentication".utf8),
                byteCount: uidKeyByteCount
            )
        }
    }
}
