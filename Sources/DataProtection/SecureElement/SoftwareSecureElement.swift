import Cryptography
import Secrets

/// A secure element in a file: it binds keys to the file, not to hardware.
///
/// A thief of the file can guess passcodes elsewhere, slowed down only by the stretching. An
/// attacker who can write it can reset the counter. Hardware conforms to the same protocol.
/// - Source: Documentation/Spec/keybag.md §4.
package struct SoftwareSecureElement: SecureElement {
    private let storage: any DeviceStorage
    private let random: any RandomSource

    /// Uses the file `secure-element` in a device's storage; reads and creates nothing yet.
    package init(storage: any DeviceStorage, random: any RandomSource) {
        self.storage = storage
        self.random = random
    }

    /// `software`.
    package var kind: String { SecureElementKind.software }

    /// Creates the file if it is missing; otherwise checks it.
    package func prepare() throws(DeviceError) {
        if let record = try load() {
            _ = record.attempts
        } else {
            try erase()
        }
    }

    /// Reads the UID key, derives a key from it, and wipes the UID key.
    package func tangle(
        _ input: borrowing Secret,
        salt: [UInt8],
        context: String
    ) throws(DeviceError) -> Secret {
        let record = try loadExisting()
        return try rethrow(as: DeviceError.cryptography) { () throws(CryptographyError) in
            try HKDF.deriveKey(
                from: Secret(concatenating: record.uidKey, input),
                salt: salt,
                info: [UInt8](context.utf8),
                byteCount: SecureElementRecord.uidKeyByteCount
            )
        }
    }

    /// Reads the counter from the file.
    package func attempts() throws(DeviceError) -> PasscodeAttempts {
        try loadExisting().attempts
    }

    /// Replaces the file and keeps its UID key.
    package func recordAttempts(_ attempts: PasscodeAttempts) throws(DeviceError) {
        let record = try loadExisting()
        try save(record.replacing(attempts: attempts))
    }

    /// Reads the set from the file.
    package func enrolments() throws(DeviceError) -> EnrolmentSet? {
        try loadExisting().enrolments
    }

    /// Replaces the file with one that contains the given set.
    package func record(_ enrolments: EnrolmentSet) throws(DeviceError) {
        let record = try loadExisting()
        try save(record.replacing(enrolments: enrolments))
    }

    /// Replaces the file with one that has a new UID key and no failures.
    package func erase() throws(DeviceError) {
        let uidKey = try rethrow(as: DeviceError.cryptography) { () throws(CryptographyError) in
            try random.secret(SecureElementRecord.uidKeyByteCount)
        }
        try save(SecureElementRecord(uidKey: uidKey, attempts: .none))
    }

    private func loadExisting() throws(DeviceError) -> SecureElementRecord {
        guard let record = try load() else { throw .missing(path: path) }
        return record
    }

    private func load() throws(DeviceError) -> SecureElementRecord? {
        let stored = try rethrow(as: DeviceError.storage) { () throws(StorageError) in
            try storage.read(.secureElement)
        }
        guard var bytes = stored else { return nil }
        defer { bytes.wipe() }
        return try SecureElementRecord(decoding: bytes, path: path)
    }

    private func save(_ record: borrowing SecureElementRecord) throws(DeviceError) {
        var bytes = try record.encoded()
        defer { bytes.wipe() }
        do throws(StorageError) {
            try storage.replace(.secureElement, with: bytes)
        } catch {
            throw .storage(error)
        }
    }

    private var path: String { storage.path(of: .secureElement) }
}
