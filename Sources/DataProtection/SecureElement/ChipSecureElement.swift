import Cryptography
import Secrets

/// A secure element whose UID key is in a chip; a file contains counter and enrolments.
///
/// The chip authenticates the file, so changing it requires the chip. The chip does not detect
/// that an old copy was restored.
/// - Source: Documentation/Spec/keybag.md §3, §4.
package struct ChipSecureElement: SecureElement {
    private let chip: any SecureChip
    private let storage: any DeviceStorage

    /// Uses the file `secure-element` in a device's storage; reads and creates nothing yet.
    package init(chip: any SecureChip, storage: any DeviceStorage) {
        self.chip = chip
        self.storage = storage
    }

    /// The chip's kind.
    package var kind: String { chip.kind }

    /// Makes the chip create a UID key if there is no file; otherwise checks the file.
    package func prepare() throws(DeviceError) {
        guard try load() != nil else { return try erase() }
        _ = try loadAuthentic()
    }

    /// Derives a key with one call of the chip; does not check the rest of the file.
    package func tangle(
        _ input: borrowing Secret,
        salt: [UInt8],
        context: String
    ) throws(DeviceError) -> Secret {
        try tangle(input, salt: salt, context: context, under: try loadExisting().record.key)
    }

    /// Reads the counter from the file.
    package func attempts() throws(DeviceError) -> PasscodeAttempts {
        try loadAuthentic().attempts
    }

    /// Replaces the file and keeps its UID key.
    package func recordAttempts(_ attempts: PasscodeAttempts) throws(DeviceError) {
        var record = try loadAuthentic()
        record.attempts = attempts
        try save(record)
    }

    /// Reads the set from the file and unwraps its private key.
    package func enrolments() throws(DeviceError) -> EnrolmentSet? {
        let record = try loadAuthentic()
        guard let fields = record.enrolments else { return nil }
        return EnrolmentSet(
            id: fields.id,
            privateKey: SharedSecret(
                try WrappedKey.unwrap(
                    fields.key,
                    under: try enrolmentKey(of: fields.id, under: record.key),
                    path: path
                )
            ),
            templates: fields.templates,
            failures: fields.failures
        )
    }

    /// Replaces the file with one that contains the given set.
    package func record(_ enrolments: EnrolmentSet) throws(DeviceError) {
        var record = try loadAuthentic()
        record.enrolments = EnrolmentFields(
            id: enrolments.id,
            key: try WrappedKey.wrap(
                enrolments.privateKey.secret,
                under: try enrolmentKey(of: enrolments.id, under: record.key)
            ),
            templates: enrolments.templates,
            failures: enrolments.failures
        )
        try save(record)
    }

    /// Replaces the file with one that has a new UID key and no failures.
    package func erase() throws(DeviceError) {
        try save(ChipElementRecord(kind: chip.kind, key: try chip.makeKey()))
    }
}

// The messages to the chip: a byte for the purpose, then digests, so that every message fits.
extension ChipSecureElement {
    private enum Purpose: UInt8 {
        case tangle = 1
        case file = 2
    }

    private func tangle(
        _ input: borrowing Secret,
        salt: [UInt8],
        context: String,
        under key: [UInt8]
    ) throws(DeviceError) -> Secret {
        let message = try rethrow(as: DeviceError.cryptography) { () throws(CryptographyError) in
            var digest = try input.withUnsafeBytes { bytes throws(CryptographyError) in
                try Digest.sha256(bytes)
            }
            defer { digest.wipe() }
            return Secret(
                concatenating: Secret(
                    copying: [Purpose.tangle.rawValue] + (try Digest.sha256(salt))
                        + (try Digest.sha256([UInt8](context.utf8)))
                ),
                Secret(copying: digest)
            )
        }
        let code = try chip.authenticate(message, under: key)
        return try rethrow(as: DeviceError.cryptography) { () throws(CryptographyError) in
            try HKDF.deriveKey(
                from: code,
                salt: salt,
                info: [UInt8](context.utf8),
                byteCount: SecureElementRecord.uidKeyByteCount
            )
        }
    }

    private func enrolmentKey(
        of id: [UInt8],
        under key: [UInt8]
    ) throws(DeviceError) -> Secret {
        try tangle(Secret(copying: []), salt: id, context: "enrolment set key", under: key)
    }

    private func code(of fields: [UInt8], under key: [UInt8]) throws(DeviceError) -> [UInt8] {
        let digest = try rethrow(as: DeviceError.cryptography) { () throws(CryptographyError) in
            try Digest.sha256(fields)
        }
        let message = Secret(copying: [Purpose.file.rawValue] + digest)
        return try chip.authenticate(message, under: key).copyBytesUnprotected()
    }
}

// The file.
extension ChipSecureElement {
    private struct Loaded {
        let record: ChipElementRecord
        let bytes: [UInt8]
    }

    private var path: String { storage.path(of: .secureElement) }

    private func load() throws(DeviceError) -> Loaded? {
        let stored = try rethrow(as: DeviceError.storage) { () throws(StorageError) in
            try storage.read(.secureElement)
        }
        guard let stored else { return nil }
        let record = try ChipElementRecord(parsing: stored, path: path)
        guard record.kind == kind else {
            throw .element(reason: "\(path) was made with \(record.kind), not with \(kind)")
        }
        return Loaded(record: record, bytes: stored)
    }

    private func loadExisting() throws(DeviceError) -> Loaded {
        guard let loaded = try load() else { throw .missing(path: path) }
        return loaded
    }

    private func loadAuthentic() throws(DeviceError) -> ChipElementRecord {
        let loaded = try loadExisting()
        let fields = [UInt8](loaded.bytes.dropLast(AuthenticatedFile.codeByteCount))
        let expected = try code(of: fields, under: loaded.record.key)
        guard constantTimeEquals(expected[...], loaded.bytes.suffix(expected.count)) else {
            throw .damaged(path: path, reason: "its authentication code is wrong")
        }
        return loaded.record
    }

    private func save(_ record: ChipElementRecord) throws(DeviceError) {
        var bytes = record.encodedFields()
        bytes += try code(of: bytes, under: record.key)
        do throws(StorageError) {
            try storage.replace(.secureElement, with: bytes)
        } catch {
            throw .storage(error)
        }
    }
}
