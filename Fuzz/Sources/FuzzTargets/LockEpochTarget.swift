import Cryptography
import Secrets

@testable import DataProtection

extension FuzzTarget {
    /// The record of a lock epoch without the check value at its end, which is added here.
    ///
    /// What is read is written as it was, byte for byte; the same bytes without their check value
    /// are none.
    static let lockEpoch = FuzzTarget(name: "lock-epoch") { bytes throws(BrokenLaw) in
        let bare = try? LockEpoch(parsing: Secret(copying: bytes))
        let whole = try withCheckValue(bytes)
        let epoch: LockEpoch
        do throws(DeviceError) {
            epoch = try LockEpoch(parsing: Secret(copying: whole))
        } catch {
            return try FuzzTarget.refused(error)
        }
        try require(bare == nil, "a record without its check value is none")
        let written = epoch.record.secret.copyBytesUnprotected()
        try require(written == whole, "a record is written as it was read")
        return .accepted
    }

    private static let nonceByteCount = 32

    /// HMAC-SHA-256 of what comes before the nonce, under the nonce: the last 32 bytes.
    private static func withCheckValue(_ bytes: [UInt8]) throws(BrokenLaw) -> [UInt8] {
        guard bytes.count > nonceByteCount else { return bytes }
        let nonce = Secret(copying: bytes.suffix(nonceByteCount))
        do throws(CryptographyError) {
            let head = [UInt8](bytes.dropLast(nonceByteCount))
            return bytes + (try HMACSHA256.authenticate(head, key: nonce))
        } catch {
            throw BrokenLaw(law: "a check value can be computed: \(error)")
        }
    }
}
