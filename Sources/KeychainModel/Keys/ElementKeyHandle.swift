/// The bytes of a secure element's key outside of it: what it depends on, its public point, and a
/// private half that two keys of one device have to open.
///
/// version 2 ‖ protection class ‖ has a control ‖ 8 bytes of flags ‖ public point ‖ key set
/// ‖ sealed half; version 1 has no key set.
/// - Source: Documentation/Spec/item.md §8; requirement KEY-06.
package struct ElementKeyHandle: Sendable, Hashable {
    /// The value of `kSecAttrTokenID` for these keys.
    package static let tokenID = "com.apple.setoken"
    /// The size of the public point in bytes.
    package static let pointByteCount = 65
    /// The size of a key set's name in bytes.
    package static let keySetByteCount = 16
    private static let version: UInt8 = 2
    private static let earlierVersion: UInt8 = 1
    private static let conditionsByteCount = 11

    package let protection: ProtectionClass
    /// nil for a key whose use depends on the lock state alone.
    package let accessControl: AccessControl?
    /// `04 ‖ X ‖ Y`.
    package let publicPoint: [UInt8]
    /// 16 bytes that name the key set whose handle key the private half is under; nil in version 1,
    /// where it is under the class key itself, which the next change of passcode replaces.
    package let keySet: [UInt8]?
    /// Opened with the handle key first, then by the secure element.
    package let sealedPrivateHalf: [UInt8]

    package init(
        protection: ProtectionClass,
        accessControl: AccessControl?,
        publicPoint: [UInt8],
        keySet: [UInt8]?,
        sealedPrivateHalf: [UInt8]
    ) {
        self.protection = protection
        self.accessControl = accessControl
        self.publicPoint = publicPoint
        self.keySet = keySet
        self.sealedPrivateHalf = sealedPrivateHalf
    }

    /// What the key's use depends on, as both versions authenticate it; it begins with a 1.
    package static func conditions(
        _ protection: ProtectionClass,
        _ control: AccessControl?
    ) -> [UInt8] {
        [earlierVersion, protection.rawValue, control == nil ? 0 : 1]
            + Coercion.littleEndian(control?.flags.rawValue ?? 0)
    }

    package var encoded: [UInt8] {
        [keySet == nil ? Self.earlierVersion : Self.version]
            + Self.conditions(protection, accessControl).dropFirst()
            + publicPoint + (keySet ?? []) + sealedPrivateHalf
    }

    /// Reads what `encoded` wrote; nil for anything else.
    package init?(decoding bytes: [UInt8]) {
        guard let version = bytes.first, version == Self.version || version == Self.earlierVersion
        else { return nil }
        let pointEnd = Self.conditionsByteCount + Self.pointByteCount
        let header = version == Self.version ? pointEnd + Self.keySetByteCount : pointEnd
        guard bytes.count > header, bytes[2] <= 1,
            let protection = ProtectionClass(rawValue: bytes[1])
        else { return nil }
        let flags = bytes[3..<Self.conditionsByteCount].reversed()
            .reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard bytes[2] == 1 || flags == 0 else { return nil }
        let control = AccessControl(protection: protection, flags: .init(rawValue: flags))
        self.init(
            protection: protection,
            accessControl: bytes[2] == 1 ? control : nil,
            publicPoint: Array(bytes[Self.conditionsByteCount..<pointEnd]),
            keySet: version == Self.version ? Array(bytes[pointEnd..<header]) : nil,
            sealedPrivateHalf: Array(bytes[header...])
        )
    }
}

/// What to do with a secure element's key.
package enum ElementKeyUse: Sendable, Hashable {
    case sign([UInt8])
    case decrypt([UInt8])
    /// With the other side's public point; a size and shared information where a key is derived.
    case agree(publicPoint: [UInt8], byteCount: Int, sharedInfo: [UInt8])
}
