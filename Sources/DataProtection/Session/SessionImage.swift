import KeychainModel

/// The content of a session image: guarded class keys that one process shares with others.
///
/// The keys are wrapped under a key of this device, boot, keybag and lock epoch. So the image is
/// worthless after a restart, after a lock, and on other devices.
/// - Source: Documentation/Spec/keybag.md §5.
struct SessionImage: Sendable, Equatable {
    /// The boot of the session.
    let bootID: [UInt8]

    /// The keybag of the keys.
    let keybagUUID: [UInt8]

    /// The keybag's epoch when the image was made.
    let passcodeEpoch: UInt32

    /// The time to evict the keys for "while unlocked", counted from that boot; `nil` if none is
    /// set.
    let evictionDeadline: Duration?

    /// The wrapped keys, 40 bytes each.
    var wrappedKeys: [ProtectionClass: [UInt8]]

    /// The token's private halves, wrapped, 40 bytes each: all of `UnlockToken.factors`, or none.
    var proofKeys: [Factor: [UInt8]] = [:]

    private static let file = AuthenticatedFile(magic: SessionImageMagic.bytes, version: 2)
    private static let deadlineFlag: UInt8 = 1
    private static let proofFlag: UInt8 = 2

    /// Creates an image from its parts.
    init(
        bootID: [UInt8],
        keybagUUID: [UInt8],
        passcodeEpoch: UInt32,
        evictionDeadline: Duration?,
        wrappedKeys: [ProtectionClass: [UInt8]]
    ) {
        self.bootID = bootID
        self.keybagUUID = keybagUUID
        self.passcodeEpoch = passcodeEpoch
        self.evictionDeadline = evictionDeadline
        self.wrappedKeys = wrappedKeys
    }

    /// Encodes all of the image except the authentication code at its end.
    func encodedFields() -> [UInt8] {
        var bytes = Self.file.header
        var flags: UInt8 = evictionDeadline == nil ? 0 : Self.deadlineFlag
        if !proofKeys.isEmpty { flags |= Self.proofFlag }
        bytes.append(flags)
        bytes.append(UInt8(wrappedKeys.count))
        bytes += bootID
        bytes += keybagUUID
        bytes.append(integer: passcodeEpoch)
        bytes.append(duration: evictionDeadline ?? .zero)
        for (protectionClass, wrapped) in wrappedKeys.sorted(by: {
            $0.key.rawValue < $1.key.rawValue
        }) {
            bytes.append(protectionClass.rawValue)
            bytes += wrapped
        }
        for factor in UnlockToken.factors { bytes += proofKeys[factor] ?? [] }
        return bytes
    }

    /// Parses an image; the caller still has to check its authentication code.
    ///
    /// - Throws: `sessionUnusable`.
    init(parsing bytes: [UInt8]) throws(DeviceError) {
        let fault = { (reason: String) in DeviceError.sessionUnusable(reason: reason) }
        var fields = try Self.file.fields(of: bytes, fault: fault) { version in
            fault("it has format version \(version)")
        }
        let flags = try fields.integer(UInt8.self)
        let known = Self.deadlineFlag | Self.proofFlag
        guard flags & ~known == 0 else { throw fault("a reserved flag is set") }
        let count = try fields.integer(UInt8.self)
        self.bootID = try fields.bytes(DeviceInstant.bootIDByteCount)
        self.keybagUUID = try fields.bytes(KeybagRecord.uuidByteCount)
        self.passcodeEpoch = try fields.integer(UInt32.self)
        let deadline = try fields.duration()
        self.evictionDeadline = flags & Self.deadlineFlag != 0 ? deadline : nil
        self.wrappedKeys = [:]
        for _ in 0..<count {
            let number = try fields.integer(UInt8.self)
            guard let protectionClass = ProtectionClass(rawValue: number) else {
                throw fault("it names an unknown class")
            }
            guard protectionClass.isPasscodeGuarded, wrappedKeys[protectionClass] == nil else {
                throw fault("it names a class that needs no session, or twice")
            }
            wrappedKeys[protectionClass] = try fields.bytes(KeybagRecord.wrappedKeyByteCount)
        }
        for factor in UnlockToken.factors where flags & Self.proofFlag != 0 {
            proofKeys[factor] = try fields.bytes(KeybagRecord.wrappedKeyByteCount)
        }
        try fields.finish()
    }
}
