import Cryptography
import Secrets

/// The content of the file `secure-element`.
///
/// - Source: Documentation/Spec/keybag.md §4.
struct SecureElementRecord: ~Copyable {
    /// The size of the UID key in bytes.
    static let uidKeyByteCount = 32

    /// The size of a file without enrolments in bytes.
    static let byteCount = 106

    private static let file = AuthenticatedFile(magic: [UInt8]("swselmnt".utf8), version: 1)
    private static let delayFlag: UInt8 = 1

    /// The secret of this device; 32 bytes.
    let uidKey: Secret

    /// The attempt counter.
    let attempts: PasscodeAttempts

    /// The enrolled faces or fingers; nil before the first.
    let enrolments: EnrolmentSet?

    /// Puts a record together.
    ///
    /// - Parameters:
    ///   - uidKey: 32 bytes.
    ///   - attempts: The attempt counter.
    ///   - enrolments: The enrolled faces or fingers.
    init(
        uidKey: consuming Secret,
        attempts: PasscodeAttempts,
        enrolments: EnrolmentSet? = nil
    ) {
        precondition(uidKey.byteCount == Self.uidKeyByteCount, "A UID key has 32 bytes.")
        self.uidKey = uidKey
        self.attempts = attempts
        self.enrolments = enrolments
    }

    /// The record with another counter.
    borrowing func replacing(attempts: PasscodeAttempts) -> SecureElementRecord {
        SecureElementRecord(
            uidKey: uidKey.duplicate(),
            attempts: attempts,
            enrolments: enrolments
        )
    }

    /// The record with another set.
    borrowing func replacing(enrolments: EnrolmentSet) -> SecureElementRecord {
        SecureElementRecord(
            uidKey: uidKey.duplicate(),
            attempts: attempts,
            enrolments: enrolments
        )
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
        let enrolments = try Self.enrolments(from: &fields, fault: fault)
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
            ),
            enrolments: enrolments
        )
    }

    /// Writes the file; the caller wipes the bytes after use.
    borrowing func encoded() throws(DeviceError) -> [UInt8] {
        let noBoot = [UInt8](repeating: 0, count: DeviceInstant.bootIDByteCount)
        var bytes: [UInt8] = []
        // Grown in place, the array would leave copies of the keys behind.
        let enrolmentByteCount =
            enrolments.map { set in
                EnrolmentSet.idByteCount + ProofKey.byteCount + 1
                    + set.templates.count * EnrolmentSet.templateByteCount
            } ?? 0
        bytes.reserveCapacity(Self.byteCount + enrolmentByteCount)
        bytes += Self.file.header
        bytes.append(attempts.delayStartedAt == nil ? 0 : Self.delayFlag)
        bytes.append(0)
        bytes.append(integer: attempts.failures)
        bytes += attempts.delayStartedAt?.bootID ?? noBoot
        bytes.append(duration: attempts.delayStartedAt?.uptime ?? .zero)
        uidKey.withUnsafeBytes { key in bytes += key }
        bytes.append(enrolments == nil ? 0 : 1)
        bytes.append(enrolments?.failures ?? 0)
        if let enrolments {
            bytes += enrolments.id
            enrolments.privateKey.secret.withUnsafeBytes { key in bytes += key }
            bytes.append(UInt8(clamping: enrolments.templates.count))
            for template in enrolments.templates { bytes += template }
        }
        try AuthenticatedFile.seal(&bytes, under: try Self.codeKey(uidKey))
        return bytes
    }

    private static func enrolments(
        from fields: inout ByteReader,
        fault: (String) -> DeviceError
    ) throws(DeviceError) -> EnrolmentSet? {
        let isEnrolled = try fields.integer(UInt8.self)
        let failures = try fields.integer(UInt8.self)
        guard isEnrolled <= 1, isEnrolled == 1 || failures == 0 else {
            throw fault("a reserved flag is set")
        }
        guard isEnrolled == 1 else { return nil }
        let id = try fields.bytes(EnrolmentSet.idByteCount)
        var keyBytes = try fields.bytes(ProofKey.byteCount)
        defer { keyBytes.wipe() }
        let count = try fields.integer(UInt8.self)
        guard count <= EnrolmentSet.templateLimit else { throw fault("it has too many templates") }
        var templates: [[UInt8]] = []
        for _ in 0..<count {
            templates.append(try fields.bytes(EnrolmentSet.templateByteCount))
        }
        return EnrolmentSet(
            id: id,
            privateKey: SharedSecret(Secret(copying: keyBytes)),
            templates: templates,
            failures: failures
        )
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
