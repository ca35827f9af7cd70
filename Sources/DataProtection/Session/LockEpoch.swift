// Definitions  "epoch": the time between two locks of a device; it has a random nonce.
//              "revision": how often processes of one epoch told one another to look again.
// Invariants   (1) A lock, a restart, a change of passcode and an erase each begin an epoch.
//              (2) A session image opens with the nonce of its epoch alone.
//              (3) A nonce is overwritten where it stands when its epoch ends.
//              (4) A nonce is in locked memory only, never on the heap.
//              (5) A lock stays on record until an unlock or a restart, whatever else begins an
//                  epoch.

import Cryptography
import Glibc
import KeychainModel
import Secrets

/// Which stretch between two locks a device is in: the truth about "locked" for all processes.
///
/// The record lies beside the keybag, so that every process that can read the keychain meets it,
/// whatever its environment. It is rewritten in place, which needs no room on the disk.
/// - Source: Documentation/Spec/keybag.md §5.
package struct LockEpoch: Sendable {
    /// The size of the record in bytes.
    static let byteCount = 144

    private static let magic = [UInt8]("swlckepo".utf8)
    private static let version: UInt16 = 1
    private static let lockedFlag: UInt8 = 1
    private static let reservedByteCount = 5
    private static let nonceByteCount = 32
    /// What comes before the nonce.
    private static let headByteCount = 48 + UnlockTimes.byteCount
    private static let codeOffset = headByteCount + nonceByteCount

    /// Counts the epochs of a device.
    let number: UInt64

    /// Counts what happened in the epoch that other processes have to look at.
    let revision: UInt64

    /// Whether the device was locked, and not unlocked since: a restart is no lock.
    let isLocked: Bool

    /// The boot in which the epoch began, and beyond which it does not last.
    let bootID: [UInt8]

    /// What the clocks showed at the last unlock and the last use.
    let unlockTimes: UnlockTimes

    /// 32 random bytes under which session images are wrapped.
    let nonce: SharedSecret

    /// The whole record as it stands in the file.
    let record: SharedSecret

    /// Puts a record together.
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
    ///   - previous: The number of the epoch that ends; 0 if none is known.
    ///   - isLocked: Whether a lock begins it, or came before it and was not taken back.
    ///   - bootID: This boot's.
    ///   - unlockTimes: The times of the last unlock and use.
    ///   - random: Where the nonce comes from.
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

    /// The same epoch, with something in it that other processes have to look at.
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

    /// Whether another reading was of the same epoch, whatever its revision.
    func isSame(as other: LockEpoch) -> Bool {
        nonce.secret.constantTimeEquals(other.nonce.secret)
    }

    /// Whether two readings were of the same epoch, or both of none.
    static func isSame(_ first: LockEpoch?, _ second: LockEpoch?) -> Bool {
        guard let first, let second else { return first == nil && second == nil }
        return first.isSame(as: second)
    }

    /// Reads a record.
    ///
    /// - Throws: `sessionUnusable` for anything that was not written as a whole.
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

    /// A check value that only whoever has the nonce can make; it tells a record that was torn.
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
    /// What session images of a keybag are called, of whatever epoch.
    static func namePrefix(of keybagUUID: [UInt8]) -> String {
        "keychain-" + hexadecimal(keybagUUID.prefix(8)) + "-"
    }

    /// The name of this epoch's session image: nobody without the nonce can tell it beforehand.
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
    /// Copies a part that is not secret into ordinary memory.
    fileprivate borrowing func copy(_ range: Range<Int>) -> [UInt8] {
        withUnsafeBytes { bytes in [UInt8](bytes[range]) }
    }
}
