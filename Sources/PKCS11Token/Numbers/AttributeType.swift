// ★ Table: the attributes that objects of this token have.

/// The type of an attribute of a PKCS #11 object.
///
/// - Source: PKCS #11 Base Specification 2.40, §4.
package struct AttributeType: RawRepresentable, Hashable, Sendable {
    /// The attribute's number in the C header.
    package let rawValue: UInt

    package init(rawValue: UInt) { self.rawValue = rawValue }

    private init(_ number: UInt) { rawValue = number }
}

extension AttributeType {
    package static let objectClass = AttributeType(0x0)
    package static let token = AttributeType(0x1)
    package static let isPrivate = AttributeType(0x2)
    package static let label = AttributeType(0x3)
    package static let application = AttributeType(0x10)
    package static let value = AttributeType(0x11)
    package static let objectID = AttributeType(0x12)
    package static let certificateType = AttributeType(0x80)
    package static let issuer = AttributeType(0x81)
    package static let serialNumber = AttributeType(0x82)
    package static let trusted = AttributeType(0x86)
    package static let certificateCategory = AttributeType(0x87)
    package static let url = AttributeType(0x89)
    package static let checkValue = AttributeType(0x90)
    package static let keyType = AttributeType(0x100)
    package static let subject = AttributeType(0x101)
    package static let identifier = AttributeType(0x102)
    package static let sensitive = AttributeType(0x103)
    package static let encrypt = AttributeType(0x104)
    package static let decrypt = AttributeType(0x105)
    package static let wrap = AttributeType(0x106)
    package static let unwrap = AttributeType(0x107)
    package static let sign = AttributeType(0x108)
    package static let signRecover = AttributeType(0x109)
    package static let verify = AttributeType(0x10A)
    package static let verifyRecover = AttributeType(0x10B)
    package static let derive = AttributeType(0x10C)
    package static let startDate = AttributeType(0x110)
    package static let endDate = AttributeType(0x111)
    package static let modulus = AttributeType(0x120)
    package static let modulusBits = AttributeType(0x121)
    package static let publicExponent = AttributeType(0x122)
    package static let privateExponent = AttributeType(0x123)
    package static let prime1 = AttributeType(0x124)
    package static let prime2 = AttributeType(0x125)
    package static let exponent1 = AttributeType(0x126)
    package static let exponent2 = AttributeType(0x127)
    package static let coefficient = AttributeType(0x128)
    package static let publicKeyInfo = AttributeType(0x129)
    package static let valueLength = AttributeType(0x161)
    package static let extractable = AttributeType(0x162)
    package static let local = AttributeType(0x163)
    package static let neverExtractable = AttributeType(0x164)
    package static let alwaysSensitive = AttributeType(0x165)
    package static let keyGenerationMechanism = AttributeType(0x166)
    package static let modifiable = AttributeType(0x170)
    package static let copyable = AttributeType(0x171)
    package static let destroyable = AttributeType(0x172)
    package static let curveParameters = AttributeType(0x180)
    package static let curvePoint = AttributeType(0x181)
    package static let alwaysAuthenticate = AttributeType(0x202)
    package static let wrapWithTrusted = AttributeType(0x210)
    package static let javaSecurityDomain = AttributeType(0x88)
    package static let subjectKeyHash = AttributeType(0x8A)
    package static let issuerKeyHash = AttributeType(0x8B)
    package static let nameHashAlgorithm = AttributeType(0x8C)
    package static let wrapTemplate = AttributeType(0x4000_0211)
    package static let unwrapTemplate = AttributeType(0x4000_0212)
    package static let deriveTemplate = AttributeType(0x4000_0213)
    package static let allowedMechanisms = AttributeType(0x4000_0600)
    /// Attributes of NSS: the public half beside a private key, and a certificate's mail address.
    package static let nssDatabase = AttributeType(0xD5A0_DB00)
    package static let nssEmail = AttributeType(0xCE53_4352)

    /// The attributes with secret values; a template passes them in memory that is wiped.
    package static let secrets: Set<AttributeType> = [
        .value, .privateExponent, .prime1, .prime2, .exponent1, .exponent2, .coefficient,
    ]
}
