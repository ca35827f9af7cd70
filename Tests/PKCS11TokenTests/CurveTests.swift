import Cryptography
import Testing

@testable import PKCS11Token

@Suite struct `A key on a curve` {
    /// The bare form of one point in 256 is an OCTET STRING, too.
    @Test(
        arguments: [KeyKind.ellipticCurve(.p256), .ellipticCurve(.p384), .ed25519, .x25519],
        [false, true]
    )
    func `is made of a point, bare or wrapped, whatever its bytes`(
        kind: KeyKind,
        isWrapped: Bool
    ) throws {
        let fixture = try TokenFixture()
        let key = try Self.ambiguous(kind)
        let wrapped = try #require(key.pointOctetString)
        let point = isWrapped ? wrapped : key.externalRepresentation
        let handle = try fixture.module.createObject(
            fixture.session,
            try Template([
                (.objectClass, Encoding.number(2)),
                (.keyType, Encoding.number(KeyTypeNumber(kind).rawValue)),
                (.curveParameters, kind.curveParameters ?? []), (.curvePoint, point),
            ])
        )
        #expect(try fixture.bytes(handle, .curvePoint) == wrapped)
        #expect(try fixture.find([(.curvePoint, point)]) == [handle])
    }

    @Test(arguments: [KeyKind.ed25519, .x25519], [false, true])
    func `is made of a private key, bare or wrapped`(kind: KeyKind, isWrapped: Bool) throws {
        let fixture = try TokenFixture()
        let key = try PrivateKey.generate(kind)
        let bare = try key.rawRepresentation().copyBytesUnprotected()
        let handle = try fixture.module.createObject(
            fixture.session,
            try Template([
                (.objectClass, Encoding.number(3)),
                (.keyType, Encoding.number(KeyTypeNumber(kind).rawValue)),
                (.curveParameters, kind.curveParameters ?? []),
                (.value, isWrapped ? [4, 32] + bare : bare),
            ])
        )
        let point = try fixture.bytes(handle, .curvePoint)
        #expect(point == key.publicKey.pointOctetString)
    }

    /// A public key whose bytes parse as an OCTET STRING.
    private static func ambiguous(_ kind: KeyKind) throws -> PublicKey {
        while true {
            let key = try PrivateKey.generate(kind).publicKey
            let bytes = key.externalRepresentation
            if bytes[0] == 4, Int(bytes[1]) == bytes.count - 2 { return key }
        }
    }

    struct Curve: CustomStringConvertible {
        let description: String
        let parameters: [UInt8]
        let code: ReturnCode
    }

    private static let curves: [Curve] = [
        .init(
            description: "secp256k1",
            parameters: [6, 5, 0x2B, 0x81, 4, 0, 0x0A],
            code: .curveNotSupported
        ),
        .init(
            description: "Ed448",
            parameters: [6, 3, 0x2B, 0x65, 0x71],
            code: .curveNotSupported
        ),
        .init(
            description: "a name",
            parameters: [0x13, 2, 0x61, 0x62],
            code: .curveNotSupported
        ),
        .init(
            description: "explicit parameters",
            parameters: [0x30, 3, 2, 1, 1],
            code: .curveNotSupported
        ),
        .init(description: "no DER", parameters: [1], code: .attributeValueInvalid),
        .init(description: "nothing", parameters: [], code: .attributeValueInvalid),
    ]

    @Test(arguments: curves, [UInt(0x1040), 0x1055])
    func `is refused for another curve than those that are known`(curve: Curve, mechanism: UInt)
        throws
    {
        let fixture = try TokenFixture()
        #expect(throws: curve.code) {
            _ = try fixture.module.generateKeyPair(
                fixture.session,
                MechanismCall(mechanism),
                public: try Template([(.curveParameters, curve.parameters)]),
                private: Template()
            )
        }
        #expect(throws: curve.code) { try Self.create(2, .curvePoint, curve, mechanism) }
        #expect(throws: curve.code) { try Self.create(3, .value, curve, mechanism) }
    }

    private static func create(
        _ objectClass: UInt,
        _ half: AttributeType,
        _ curve: Curve,
        _ mechanism: UInt
    ) throws {
        let fixture = try TokenFixture()
        _ = try fixture.module.createObject(
            fixture.session,
            try Template([
                (.objectClass, Encoding.number(objectClass)),
                (.keyType, Encoding.number(mechanism == 0x1040 ? 3 : 0x40)),
                (.curveParameters, curve.parameters), (half, [1]),
            ])
        )
    }
}
