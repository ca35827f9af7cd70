import Cryptography
import Secrets

@testable import DataProtection

extension FuzzTarget {
    /// The file of the software secure element without the code at its end, which is added here.
    ///
    /// The counter that is read is written and read again as it was.
    static let secureElement = FuzzTarget(name: "secure-element") { bytes throws(BrokenLaw) in
        _ = try? attempts(in: bytes)
        var reader = InputReader([UInt8](bytes.dropFirst(uidKeyOffset)))
        let uidKey = (0..<32).map { _ in reader.byte() }
        let file = try authenticated(bytes) {
            try HKDF.deriveKey(
                from: Secret(copying: uidKey),
                salt: [],
                info: [UInt8]("secure element authentication".utf8),
                byteCount: 32
            )
        }
        let read: PasscodeAttempts
        let again: PasscodeAttempts
        do throws(DeviceError) {
            (read, again) = try attempts(in: file)
        } catch {
            return try refused(error)
        }
        try require(read == again, "the counter is written as it was read")
        return .accepted
    }

    /// Where the UID key stands in the file.
    private static let uidKeyOffset = 40

    /// Reads the counter, writes it and reads it again.
    private static func attempts(
        in file: [UInt8]
    ) throws(DeviceError) -> (PasscodeAttempts, PasscodeAttempts) {
        let storage = MemoryStorage()
        storage.replace(.secureElement, with: file)
        let element = SoftwareSecureElement(
            storage: storage,
            random: SeededRandomSource(seed: 1)
        )
        let read = try element.attempts()
        try element.recordAttempts(read)
        return (read, try element.attempts())
    }
}
