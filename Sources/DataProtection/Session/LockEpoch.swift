// Definitions  "epoch": the time between two locks of a device; it has a random nonce.
//              "revision": the number of times processes of one epoch told the others to look.
// Invariants   (1) A lock, a restart, a change of passcode and an erase each begin an epoch.
//              (2) A session image opens only with the nonce of its epoch.
//              (3) A nonce is overwritten in place when its epoch ends.
//              (4) A nonce is in locked memory only, never on the heap.
//              (5) A lock stays on record until an unlock or a restart, even if other events begin
//                  new epochs.

import Cryptography
import Glibc
import KeychainModel
import Secrets

/// The epoch of a device: for all processes, its record decides whether the device is locked.
///
/// The record is beside the keybag, so that every process that can read the keychain finds it,
/// in any environment. It is rewritten in place, which needs no free space on the disk.
/// - Source: Documentation/Spec/keybag.md §5.
package struct LockEpoch: Sendable {
    /// The size of the record in bytes.
    static let byteCount = 144

    private static let magic = [UInt8]("swlckepo".utf8)
    private static let version: UInt16 = 1
    private static let lockedFlag: UInt8 = 1
    private static let reservedByteCount = 5
    private static let nonceByteCount = 32
    /// The size of the fields before the nonce.
    private static let headByteCount = 48 + UnlockTimes.byteCount
    private static let codeOffset = headByteCount + nonceByteCount

    /// The number of the epoch; it increases with each.
    let number: UInt64

    /// The number of events in the epoch that other processes have to notice.
    let revision: UInt64

    /// Whether the device was locked and not unlocked since; a restart is not a lock.
    let isLocked: Bool

    /// The boot in which the epoch began; it ends with this boot.
    let bootID: [UInt8]

    /// The clocks' readings at the last unlock and the last use.
    let unlockTimes: UnlockTimes

    /// 32 random bytes under which session images are wrapped.
    let nonce: SharedSecret

    /// The whole record, as stored in the file.
    let record: SharedSecret

    /// Creates a record from its fields.
    private init(
        number: UInt64,
        revision: UInt64,
        isLocked: Bool,
        bootID: [UInt8],
        unlockTimes: UnlockTimes,
        nonce: SharedSecret
    ) throws(DeviceError) {
        var head = Self.magic
        head.append(integer: Self.version)
        head.append(isLocked ? Self.lockedFlag : 0)
        head += [UInt8](repeating: 0, count: Self.reservedByteCount)
        head.append(integer: number)
        head.append(integer: revision)
        head += bootID + unlockTimes.encoded
        let code = try Self.code(of: head, nonce.secret)
        self.number = number
        self.revision = revision
        self.isLocked = isLocked
        self.bootID = bootID
        self.unlockTimes = unlockTimes
        self.nonce = nonce
        let opening = Secret(concatenating: Secret(copying: head), nonce.secret)
        self.record = SharedSecret(Secret(concatenating: opening, Secret(copying: code)))
    }

    /// Begins an epoch.
    ///
    /// - Parameters:
    ///   - previous: The number of the previous epoch; 0 if unknown.
    ///   - isLocked: Whether a lock begins it, or an earlier lock still holds.
    ///   - bootID: This boot's ID.
    ///   - unlockTimes: The times of the last unlock and use.
    ///   - random: The source of the nonce.
    /// - Throws: `cryptography`.
    init(
        after previous: UInt64,
        isLocked: Bool,
        bootID: [UInt8],
        unlockTimes: UnlockTimes,
        random: any RandomSource
    ) throws(DeviceError) {
        let nonce = try rethrow(as: DeviceError.cryptography) { () throws(CryptographyError) in
            SharedSecret(try random.secret(Self.nonceByteCount))
        }
        try self.init(
            number: previous &+ 1,
            revision: 0,
            isLocked: isLocked,
            bootID: bootID,
            unlockTimes: unlockTimes,
            nonce: nonce
        )
    }

    /// Returns the same epoch with a higher revision, which makes other processes look.
    func revised(_ unlockTimes: UnlockTimes, isLocked: Bool) throws(DeviceError) -> LockEpoch {
        try LockEpoch(
            number: number,
            revision: revision &+ 1,
            isLocked: isLocked,
            bootID: bootID,
            unlockTimes: unlockTimes,
            nonce: nonce
        )
    }

    /// Whether two records belong to the same epoch, at any revision.
    func isSame(as other: LockEpoch) -> Bool {
        nonce.secret.constantTimeEquals(other.nonce.secret)
    }

    /// Whether two records belong to the same epoch, or both are nil.
    static func isSame(_ first: LockEpoch?, _ second: LockEpoch?) -> Bool {
        guard let first, let second else { return first == nil && second == nil }
        return first.isSame(as: second)
    }

    /// Parses a record.
    ///
    /// - Throws: `sessionUnusable` for a record that was not written completely.
    init(parsing bytes: borrowing Secret) throws(DeviceError) {
        let fault = { (reason: String) in DeviceError.sessionUnusable(reason: reason) }
        guard bytes.byteCount == Self.byteCount else { throw fault("the epoch has a wrong size") }
        let head = bytes.copy(0..<Self.headByteCount)
        var fields = ByteReader(head[...], fault: fault)
        try fields.expect(Self.magic, else: "the epoch does not start with its magic bytes")
        guard try fields.integer(UInt16.self) == Self.version else {
            throw fault("the epoch has an unknown version")
        }
        let flags = try fields.integer(UInt8.self)
        guard flags <= Self.lockedFlag else { throw fault("an unknown flag of the epoch is set") }
        let reserved = [UInt8](repeating: 0, count: Self.reservedByteCount)
        try fields.expect(reserved, else: "a reserved byte of the epoch is set")
        let number = try fields.integer(UInt64.self)
        let revision = try fields.integer(UInt64.self)
        let bootID = try fields.bytes(DeviceInstant.bootIDByteCount)
        let unlockTimes = try UnlockTimes(from: &fields, fault: fault)
        let nonce = bytes.withUnsafeBytes { bytes in
            SharedSecret(
                Secret(
                    copying: UnsafeRawBufferPointer(
                        rebasing: bytes[Self.headByteCount..<Self.codeOffset]
                    )
                )
            )
        }
        try self.init(
            number: number,
            revision: revision,
            isLocked: flags == Self.lockedFlag,
            bootID: bootID,
            unlockTimes: unlockTimes,
            nonce: nonce
        )
        guard record.secret.constantTimeEquals(bytes) else { throw fault("the epoch is damaged") }
    }

    /// Returns the check value of a record, which requires the nonce and detects a torn write.
    private static func code(
        of head: [UInt8],
        _ nonce: borrowing Secret
    ) throws(DeviceError) -> [UInt8] {
        do throws(CryptographyError) {
            return try HMACSHA256.authenticate(head, key: nonce)
        } catch {
            throw .cryptography(error)
        }
    }
}

extension LockEpoch {
    /// Returns the prefix of the names of a keybag's session images, in every epoch.
    static func namePrefix(of keybagUUID: [UInt8]) -> String {
        "keychain-" + hexadecimal(keybagUUID.prefix(8)) + "-"
    }

    /// Returns the name of this epoch's session image, which is unpredictable without the nonce.
    func sessionName(of keybagUUID: [UInt8]) throws(DeviceError) -> String {
        let name: Secret
        do throws(CryptographyError) {
            name = try HKDF.deriveKey(
                from: nonce.secret,
                salt: keybagUUID,
                info: [UInt8]("session name".utf8),
                byteCount: 16
            )
        } catch {
            throw .cryptography(error)
        }
        return Self.namePrefix(of: keybagUUID)
            + Self.hexadecimal(name.copyBytesUnprotected()[...])
    }

    private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }.joined()
    }
}

extension Secret {
    /// Copies a range that is not secret into ordinary memory.
    fileprivate borrowing func copy(_ range: Range<Int>) -> [UInt8] {
        withUnsafeBytes { bytes in [UInt8](bytes[range]) }
    }
}
