// Definitions  "open": the unwrapped class key is in memory.
//              "guarded": a class whose key the passcode wraps, once one is set: all but dk, dku.
//              "epoch": counts the times a passcode was set or changed; "key set": the class keys
//              of one epoch, whose name the database stores, too.
// Invariants   (1) Without a passcode every class but akpu is open, and akpu has no key.
//              (2) With a passcode, before `unlock` or `adopt`, only dk and dku are open.
//              (3) An evicted key's bytes are zero before the call returns.
//              (4) Setting or changing a passcode creates new guarded class keys, in a new epoch
//                  and under a new name; akpu is destroyed with the passcode.
//              (5) The record in memory is the one last passed to `saving`; if saving throws,
//                  nothing has changed.
// States
//
//     no passcode ──setPasscode──▸ all open ──evictWhenUnlocked──▸ dk dku ck cku
//         ▴                        │  ▴  │                             │    │
//         └────removePasscode──────┘  │  └──evictGuarded──▸ dk dku ◂───┘    │
//                                     └──────────────unlock─┴───────────────┘

import Cryptography
import KeychainModel
import Secrets

/// The class keys of a device: wrapped at rest, and open in memory as the lock state allows.
///
/// It uses neither files nor clocks: bytes are passed in and out, and the device decides when.
/// - Source: Documentation/Spec/keybag.md §2, §3.
package struct Keybag: ~Copyable, Sendable {
    var record: KeybagRecord
    var keys: ClassKeyring
    let element: any SecureElement
    let path: String
    private let lookupKey: Secret

    /// Creates new class keys, without a passcode.
    ///
    /// - Parameters:
    ///   - element: The prepared element with the UID key that the device key is derived from.
    ///   - random: The source of keys.
    ///   - path: The keybag's name in errors.
    /// - Throws: The errors of the element, or `cryptography`.
    package init(
        creatingWith element: any SecureElement,
        random: any RandomSource,
        path: String
    ) throws(DeviceError) {
        let uuid = try Self.random(random, byteCount: KeybagRecord.uuidByteCount)
        let deviceKey = try Self.deviceKey(of: uuid, element: element)
        let lookupKey = try Self.newKey(random)
        var keys = ClassKeyring()
        var wrappedKeys: [ProtectionClass: [UInt8]] = [:]
        for protectionClass in KeybagRecord.classes(withPasscode: false) {
            let key = ClassKey(try Self.newKey(random))
            wrappedKeys[protectionClass] = try Self.wrap(key.secret, under: deviceKey)
            keys.open(protectionClass, with: key)
        }
        self.record = KeybagRecord(
            uuid: uuid,
            passcode: nil,
            keySet: try Self.random(random, byteCount: KeybagRecord.uuidByteCount),
            passcodeEpoch: 0,
            wrappedLookupKey: try Self.wrap(lookupKey, under: deviceKey),
            wrappedKeys: wrappedKeys
        )
        self.keys = keys
        self.lookupKey = lookupKey
        self.element = element
        self.path = path
    }

    /// Opens a file: every class if no passcode is set, otherwise only `dk` and `dku`.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - path: The file's name in errors.
    ///   - element: The element with the UID key that the file was written with.
    /// - Throws: `damaged` for any changed byte or another UID key, `unsupportedVersion`, the
    ///   errors of the element, or `cryptography`.
    package init(
        decoding bytes: [UInt8],
        path: String,
        element: any SecureElement
    ) throws(DeviceError) {
        let record = try KeybagRecord(parsing: bytes, path: path)
        let codeKey = try Self.codeKey(of: record.uuid, element: element)
        guard try AuthenticatedFile.isAuthentic(bytes, under: codeKey) else {
            throw .damaged(path: path, reason: "it was changed, or belongs to another device")
        }
        let deviceKey = try Self.deviceKey(of: record.uuid, element: element)
        let isPasscodeSet = record.passcode != nil
        var keys = ClassKeyring()
        for (protectionClass, wrapped) in record.wrappedKeys
        where !isPasscodeSet || !protectionClass.isPasscodeGuarded {
            let key = try Self.unwrap(wrapped, under: deviceKey, path: path)
            keys.open(protectionClass, with: ClassKey(key))
        }
        self.lookupKey = try Self.unwrap(record.wrappedLookupKey, under: deviceKey, path: path)
        self.record = record
        self.keys = keys
        self.element = element
        self.path = path
    }

    /// Returns the whole file, as `init(decoding:path:element:)` reads it.
    package func encoded() throws(DeviceError) -> [UInt8] {
        try encoded(record)
    }
}

extension Keybag {
    /// 16 bytes that are unique to this keybag.
    package var uuid: [UInt8] { record.uuid }

    /// 16 bytes that name the class keys.
    package var keySet: [UInt8] { record.keySet }

    /// Whether the file has an earlier version, which older programs would continue to use.
    var isEarlier: Bool { record.isEarlier }

    /// Whether a passcode guards the class keys.
    package var isPasscodeSet: Bool { record.passcode != nil }

    /// Records permanently that the store keeps a row sum.
    ///
    /// - Parameter save: Makes the new file durable; if it throws, nothing has changed.
    /// - Throws: The errors of the element or of `save`, or `cryptography`.
    mutating func noteRowSum(
        saving save: ([UInt8]) throws(DeviceError) -> Void
    ) throws(DeviceError) {
        var next = record
        next.sumsRows = true
        next.isEarlier = false
        try save(try encoded(next))
        record = next
    }

    /// Stores the settings for automatic locking.
    mutating func setLockSettings(
        _ settings: LockSettings,
        saving save: ([UInt8]) throws(DeviceError) -> Void
    ) throws(DeviceError) {
        var next = record
        next.lockSettings = settings
        next.isEarlier = false
        try save(try encoded(next))
        record = next
    }

    /// Rewrites the same keys in the present format.
    mutating func rewrite(
        saving save: ([UInt8]) throws(DeviceError) -> Void
    ) throws(DeviceError) {
        var next = record
        next.isEarlier = false
        try save(try encoded(next))
        record = next
    }

    /// Whether the class's key is in memory.
    package func isAvailable(_ protectionClass: ProtectionClass) -> Bool {
        keys.isOpen(protectionClass)
    }

    /// Returns the reason why a class's key cannot be used; `nil` if it can.
    package func unavailability(of protectionClass: ProtectionClass) -> DeviceError? {
        if keys.isOpen(protectionClass) { return nil }
        return record.wrappedKeys[protectionClass] == nil
            ? .noSuchClass(protectionClass) : .locked(protectionClass)
    }

    /// Lends a class key for the duration of one call.
    ///
    /// - Throws: `locked`, `noSuchClass`, or `cryptography` with the error of `body`.
    package borrowing func withClassKey<R: ~Copyable>(
        _ protectionClass: ProtectionClass,
        _ body: (borrowing ClassKey) throws(CryptographyError) -> R
    ) throws(DeviceError) -> R {
        try withClassKey(protectionClass, else: { $0 }) { key throws(DeviceError) in
            do throws(CryptographyError) {
                return try body(key)
            } catch {
                throw .cryptography(error)
            }
        }
    }

    /// Lends a class key to a body with errors of its own.
    ///
    /// - Parameters:
    ///   - protectionClass: The class.
    ///   - unavailable: Converts `locked` or `noSuchClass` to such an error.
    ///   - body: The work.
    /// - Returns: The result of `body`.
    /// - Throws: The result of `unavailable`, or the error of `body`.
    package borrowing func withClassKey<R: ~Copyable, E>(
        _ protectionClass: ProtectionClass,
        else unavailable: (DeviceError) -> E,
        _ body: (borrowing ClassKey) throws(E) -> R
    ) throws(E) -> R {
        if let error = unavailability(of: protectionClass) { throw unavailable(error) }
        guard let result = try keys.withKey(protectionClass, body) else {
            throw unavailable(.locked(protectionClass))
        }
        return result
    }

    /// Lends the 32-byte key of the lookup digests, which is open in every lock state.
    package borrowing func withLookupKey<R: ~Copyable, E>(
        _ body: (borrowing Secret) throws(E) -> R
    ) throws(E) -> R {
        try body(lookupKey)
    }
}

extension Keybag {
    /// Wipes the keys of the classes for "while unlocked"; does nothing without a passcode.
    package mutating func evictWhenUnlocked() {
        guard isPasscodeSet else { return }
        for protectionClass in ProtectionClass.allCases
        where protectionClass.availability == .whenUnlocked {
            keys.evict(protectionClass)
        }
    }

    /// Wipes every key that the passcode guards, as a reboot does; does nothing without a passcode.
    package mutating func evictGuarded() {
        guard isPasscodeSet else { return }
        for protectionClass in ProtectionClass.allCases where protectionClass.isPasscodeGuarded {
            keys.evict(protectionClass)
        }
    }

    /// Wipes every class key, as at the end of the process.
    package mutating func evictEverything() {
        for protectionClass in ProtectionClass.allCases { keys.evict(protectionClass) }
    }

    /// Takes over the guarded keys that an older reading of the same keybag has open.
    ///
    /// - Returns: False, without a change, if any guarded class key may differ.
    mutating func inheritGuardedKeys(from older: inout Keybag) -> Bool {
        guard
            older.uuid == uuid, older.isPasscodeSet, isPasscodeSet,
            older.record.passcodeEpoch == record.passcodeEpoch
        else { return false }
        for protectionClass in ProtectionClass.allCases where protectionClass.isPasscodeGuarded {
            if let key = older.keys.take(protectionClass) {
                keys.open(protectionClass, with: key)
            }
        }
        return true
    }
}
