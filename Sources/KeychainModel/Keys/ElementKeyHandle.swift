/// The bytes of a secure element's key outside of it: what it depends on, its public point, and a
/// private half that two keys of one device have to open.
///
/// version 1 ‖ protection class ‖ has a control ‖ 8 bytes of flags ‖ public point ‖ sealed half
/// - Source: Documentation/Spec/item.md §8; requirement KEY-06.
package struct ElementKeyHandle: Sendable, Hashable {
    /// The value of `kSecAttrTokenID` for these keys.
    package static let tokenID = "com.apple.setoken"
    /// The size of the public point in bytes.
    package static let pointByteCount = 65
    private static let version: UInt8 = 1
    private static let conditionsByteCount = 11

    package let protection: ProtectionClass
    /// nil for a key whose use depends on the lock state alone.
    package let accessControl: AccessControl?
    /// `04 ‖ X ‖ Y`.
    package let publicPoint: [UInt8]
    /// Opened with the class key first, then by the secure element.
    package let sealedPrivateHalf: [UInt8]

    package init(
        protection: ProtectionClass,
        accessControl: AccessControl?,
        publicPoint: [UInt8],
        sealedPrivateHalf: [UInt8]
    ) {
        self.protection = protection
        self.accessControl = accessControl
        self.publicPoint = publicPoint
        self.sealedPrivateHalf = sealedPrivateHalf
    }

    /// What the key's use depends on, as it is authenticated.
    package static func conditions(
        _ protection: ProtectionClass,
        _ control: AccessControl?
    ) -> [UInt8] {
        [version, protection.rawValue, control == nil ? 0 : 1]
            + Coercion.littleEndian(control?.flags.rawValue ?? 0)
    }

    package var encoded: [UInt8] {
        Self.conditions(protection, accessControl) + publicPoint + sealedPrivateHalf
    }

    /// Reads what `encoded` wrote; nil for anything else.
    package init?(decoding bytes: [UInt8]) {
        let header = Self.conditionsByteCount + Self.pointByteCount
        guard bytes.count > header, bytes[0] == Self.version, bytes[2] <= 1,
            let protection = ProtectionClass(rawValue: bytes[1])
        else { return nil }
        let flags = bytes[3..<Self.conditionsByteCount].reversed()
            .reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let control = AccessControl(protection: protection, flags: .init(rawValue: flags))
        self.init(
            protection: protection,
            accessControl: bytes[2] == 1 ? control : nil,
            publicPoint: Array(bytes[Self.conditionsByteCount..<header]),
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
