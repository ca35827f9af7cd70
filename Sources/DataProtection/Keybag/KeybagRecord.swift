import Cryptography
import KeychainModel

/// The content of a keybag file: wrapped keys and the settings for unwrapping; no key itself.
///
/// - Source: Documentation/Spec/keybag.md §2.
struct KeybagRecord: Sendable, Equatable {
    /// The salt and cost with which the passcode is stretched.
    struct Passcode: Sendable, Equatable {
        /// 16 random bytes, new with every passcode.
        var salt: [UInt8]

        /// The cost of one guess.
        var cost: Argon2id.Cost
    }

    /// The size of a keybag's name in bytes.
    static let uuidByteCount = 16

    /// The size of a passcode's salt in bytes.
    static let saltByteCount = 16

    /// The size of a wrapped class key or lookup key in bytes.
    static let wrappedKeyByteCount = ClassKey.byteCount + AESKeyWrap.checkByteCount

    /// 16 random bytes that name the keybag.
    let uuid: [UInt8]

    /// `nil` if no passcode is set.
    var passcode: Passcode?

    /// 16 bytes that name the class keys, also in the database; new keys get a new name.
    var keySet: [UInt8]

    /// The number of times that class keys were created, once for each new passcode.
    var passcodeEpoch: UInt32

    /// Whether it was read from a file of version 1.
    var isEarlier = false

    /// The lookup key under the device key, 40 bytes.
    let wrappedLookupKey: [UInt8]

    /// The class keys, 40 bytes each; exactly those of `classes(withPasscode:)`.
    var wrappedKeys: [ProtectionClass: [UInt8]]

    /// Whether the store keeps a row sum; once true, it stays true.
    var sumsRows = true

    /// The key pairs of `ProofKey.factors`; empty without a passcode.
    var proofKeys: [Factor: ProofKey] = [:]

    /// The settings for automatic locking; a file of version 1 has none.
    var lockSettings = LockSettings()

    /// Returns the classes of a keybag, in the order of the file.
    static func classes(withPasscode isPasscodeSet: Bool) -> [ProtectionClass] {
        ProtectionClass.allCases
            .filter { isPasscodeSet || !$0.requiresPasscode }
            .sorted { $0.rawValue < $1.rawValue }
    }
}

extension KeybagRecord {
    private static let file = AuthenticatedFile(
        magic: [UInt8]("swkeybag".utf8),
        version: 2,
        earliest: 1
    )
    private static let passcodeFlag: UInt8 = 1
    private static let rowSumFlag: UInt8 = 2

    /// Encodes all of the file except the authentication code at its end.
    func encodedFields() -> [UInt8] {
        let classes = Self.classes(withPasscode: passcode != nil)
        var bytes = Self.file.header
        let passcodeFlag = passcode == nil ? 0 : Self.passcodeFlag
        bytes.append(passcodeFlag | (sumsRows ? Self.rowSumFlag : 0))
        bytes.append(UInt8(classes.count))
        bytes += uuid
        bytes.append(integer: passcodeEpoch)
        bytes += keySet + lockSettings.encoded
        bytes += passcode?.salt ?? [UInt8](repeating: 0, count: Self.saltByteCount)
        bytes.append(integer: passcode?.cost.memoryKiB ?? 0)
        bytes.append(integer: passcode?.cost.passes ?? 0)
        bytes.append(integer: passcode?.cost.lanes ?? 0)
        bytes += wrappedLookupKey
        for protectionClass in classes {
            bytes.append(protectionClass.rawValue)
            bytes += wrappedKeys[protectionClass] ?? []
        }
        for factor in ProofKey.factors {
            guard let key = proofKeys[factor] else { continue }
            bytes += key.publicKey + key.wrappedPrivateKey
        }
        return bytes
    }

    /// Parses a file; the caller still has to check its authentication code.
    ///
    /// - Throws: `damaged` or `unsupportedVersion`, with the path.
    init(parsing bytes: [UInt8], path: String) throws(DeviceError) {
        let fault = { (reason: String) in DeviceError.damaged(path: path, reason: reason) }
        var (version, fields) = try Self.file.versionedFields(of: bytes, fault: fault) { version in
            .unsupportedVersion(path: path, version: version)
        }
        let flags = try fields.integer(UInt8.self)
        let knownFlags = Self.passcodeFlag | Self.rowSumFlag
        guard flags & ~knownFlags == 0 else { throw fault("a reserved flag is set") }
        let isPasscodeSet = flags & Self.passcodeFlag != 0
        let classes = Self.classes(withPasscode: isPasscodeSet)
        try fields.expect([UInt8(classes.count)], else: "it has a wrong number of class keys")
        self.uuid = try fields.bytes(Self.uuidByteCount)
        self.passcodeEpoch = try fields.integer(UInt32.self)
        self.isEarlier = version == 1
        // Version 1 had one permanent key set, with the name of the keybag.
        self.keySet = version == 1 ? uuid : try fields.bytes(Self.uuidByteCount)
        if version > 1 { self.lockSettings = try LockSettings(from: &fields, fault: fault) }
        self.passcode = try Self.passcode(
            isSet: isPasscodeSet,
            from: &fields,
            fault: fault
        )
        self.wrappedLookupKey = try fields.bytes(Self.wrappedKeyByteCount)
        self.sumsRows = flags & Self.rowSumFlag != 0
        self.wrappedKeys = [:]
        for protectionClass in classes {
            try fields.expect([protectionClass.rawValue], else: "a class is missing or misplaced")
            wrappedKeys[protectionClass] = try fields.bytes(Self.wrappedKeyByteCount)
        }
        for factor in ProofKey.factors where passcode != nil {
            proofKeys[factor] = ProofKey(
                publicKey: try fields.bytes(ProofKey.byteCount),
                wrappedPrivateKey: try fields.bytes(Self.wrappedKeyByteCount)
            )
        }
        try fields.finish()
    }

    private static func passcode(
        isSet: Bool,
        from fields: inout ByteReader,
        fault: (String) -> DeviceError
    ) throws(DeviceError) -> Passcode? {
        let salt = try fields.bytes(saltByteCount)
        let memoryKiB = try fields.integer(UInt32.self)
        let passes = try fields.integer(UInt32.self)
        let lanes = try fields.integer(UInt32.self)
        let cost = Argon2id.Cost(memoryKiB: memoryKiB, passes: passes, lanes: lanes)
        guard isSet else {
            guard salt.allSatisfy({ $0 == 0 }), memoryKiB == 0, passes == 0, lanes == 0 else {
                throw fault("it has a passcode cost but no passcode")
            }
            return nil
        }
        if let words = cost.fault { throw fault("its passcode asks for \(words)") }
        return Passcode(salt: salt, cost: cost)
    }
}
