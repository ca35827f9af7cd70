/// The exported form of a secure element's key: its conditions, public point and private half.
///
/// Opening the private half takes two keys of one device. The format: version 2 ‖ protection class
/// ‖ has a control ‖ 8 bytes of flags ‖ public point ‖ key set ‖ sealed half; version 1 has no key
/// set.
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
    /// The access control; nil for a key whose use depends only on the lock state.
    package let accessControl: AccessControl?
    /// `04 ‖ X ‖ Y`.
    package let publicPoint: [UInt8]
    /// 16 bytes that name the key set of the handle key.
    ///
    /// It is nil in version 1, where the class key seals the private half, and a change of passcode
    /// replaces that key.
    package let keySet: [UInt8]?
    /// The private half, opened first with the handle key, then by the secure element.
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

    /// Returns the conditions of the key's use, as both versions authenticate them.
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

    /// Decodes the result of `encoded`; returns nil for anything else.
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

/// An operation with a secure element's key.
package enum ElementKeyUse: Sendable, Hashable {
    case sign([UInt8])
    case decrypt([UInt8])
    /// Agrees on a key with another public point; size and shared information apply to a derived
    /// key.
    case agree(publicPoint: [UInt8], byteCount: Int, sharedInfo: [UInt8])
}
