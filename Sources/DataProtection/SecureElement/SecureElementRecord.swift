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

    /// The secret of this device; 32 bytes.
    let uidKey: Secret

    /// The attempt counter.
    let attempts: PasscodeAttempts

    /// The enrolled faces or fingers; nil before the first enrolment.
    let enrolments: EnrolmentSet?

    /// Creates a record from its parts.
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

    /// Returns the record with another counter.
    borrowing func replacing(attempts: PasscodeAttempts) -> SecureElementRecord {
        SecureElementRecord(
            uidKey: uidKey.duplicate(),
            attempts: attempts,
            enrolments: enrolments
        )
    }

    /// Returns the record with another enrolment set.
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
        let attempts = try PasscodeAttempts(from: &fields, fault: fault)
        var uidBytes = try fields.bytes(Self.uidKeyByteCount)
        defer { uidBytes.wipe() }
        let enrolments = try Self.enrolments(from: &fields, fault: fault)
        try fields.finish()
        let uidKey = Secret(copying: uidBytes)
        guard try AuthenticatedFile.isAuthentic(bytes, under: try Self.codeKey(uidKey)) else {
            throw fault("its authentication code is wrong")
        }
        self.init(uidKey: uidKey, attempts: attempts, enrolments: enrolments)
    }

    /// Encodes the file; the caller wipes the bytes after use.
    borrowing func encoded() throws(DeviceError) -> [UInt8] {
        var fields = enrolments.map(EnrolmentFields.init)
        defer { fields?.key.wipe() }
        var bytes: [UInt8] = []
        // A growing array would leave copies of the keys in memory.
        bytes.reserveCapacity(Self.byteCount + (fields?.byteCount ?? 0))
        bytes += Self.file.header
        attempts.append(to: &bytes)
        uidKey.withUnsafeBytes { key in bytes += key }
        EnrolmentFields.append(fields, to: &bytes)
        try AuthenticatedFile.seal(&bytes, under: try Self.codeKey(uidKey))
        return bytes
    }

    private static func enrolments(
        from fields: inout ByteReader,
        fault: (String) -> DeviceError
    ) throws(DeviceError) -> EnrolmentSet? {
        var read = try EnrolmentFields.read(
            from: &fields,
            keyByteCount: EnrolmentSet.keyByteCount,
            fault: fault
        )
        defer { read?.key.wipe() }
        // A variable for the key would share its storage, and wiping would then wipe only a copy.
        return read.map { fields in
            EnrolmentSet(
                id: fields.id,
                privateKey: SharedSecret(Secret(copying: fields.key)),
                templates: fields.templates,
                failures: fields.failures
            )
        }
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

extension EnrolmentFields {
    /// Copies the fields with the unwrapped private key; the caller wipes it.
    fileprivate init(_ set: EnrolmentSet) {
        self.init(
            id: set.id,
            key: set.privateKey.secret.copyBytesUnprotected(),
            templates: set.templates,
            failures: set.failures
        )
    }
}
