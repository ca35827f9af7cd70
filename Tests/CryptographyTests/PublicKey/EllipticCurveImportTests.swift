import Cryptography
import Secrets
import Testing

@Suite struct `Importing a key on a NIST curve` {
    /// RFC 6979 A.2.5, public half.
    static let point: Hex = """
        04 60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6
        7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299
        """
    /// RFC 6979 A.2.5, private half.
    static let scalar: Hex = "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721"
    /// FIPS 186-4 D.1.2.3.
    static let order: Hex = "FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551"
    /// FIPS 186-4 D.1.2.3.
    static let prime: Hex = "FFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF"

    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]

        init(_ testDescription: String, _ bytes: [UInt8]) {
            self.testDescription = testDescription
            self.bytes = bytes
        }
    }

    @Test func `takes a published pair`() throws {
        let pair = try PrivateKey(
            family: .ellipticCurve,
            externalRepresentation: Secret(copying: Self.point.bytes + Self.scalar.bytes)
        )
        #expect(pair.publicKey.externalRepresentation == Self.point.bytes)
    }

    @Test func `keeps leading zeros of the scalar`() throws {
        // The scalar 1 gives the generator itself, FIPS 186-4 D.1.2.3.
        let generator: Hex = """
            04 6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296
            4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5
            """
        let one = [UInt8](repeating: 0, count: 31) + [1]
        let pair = try PrivateKey(
            family: .ellipticCurve,
            externalRepresentation: Secret(copying: generator.bytes + one)
        )
        let exported = try pair.externalRepresentation().copyBytesUnprotected()
        #expect(exported == generator.bytes + one)
    }

    static var badPoints: [Refusal] {
        let x = Array(point.bytes[1...32])
        let y = Array(point.bytes[33...])
        var offCurve = point.bytes
        offCurve[64] ^= 1
        return [
            Refusal("a point off the curve", offCurve),
            Refusal("the point at infinity", [0x00]),
            Refusal("zeros", [0x04] + [UInt8](repeating: 0, count: 64)),
            Refusal("a compressed point", [0x03] + x),
            Refusal("a hybrid point", [0x07] + x + y),
            Refusal("no marker", x + y),
            Refusal("a coordinate that is not below the prime", [0x04] + prime.bytes + y),
            Refusal("coordinates of all ones", [0x04] + [UInt8](repeating: 0xFF, count: 64)),
            Refusal("another curve's size", [0x04] + [UInt8](repeating: 0, count: 96)),
            Refusal("coordinates with a leading zero each", [0x04, 0x00] + x + [0x00] + y),
            Refusal("coordinates in the wrong order", [0x04] + y + x),
        ]
    }

    @Test(arguments: badPoints)
    func `refuses a bad point`(refusal: Refusal) {
        #expect(throws: CryptographyError.self) {
            _ = try PublicKey(family: .ellipticCurve, externalRepresentation: refusal.bytes)
        }
        #expect(throws: CryptographyError.self) {
            _ = try PrivateKey(
                family: .ellipticCurve,
                externalRepresentation: Secret(copying: refusal.bytes + Self.scalar.bytes)
            )
        }
    }

    static var badScalars: [Refusal] {
        var aboveOrder = order.bytes
        aboveOrder[31] += 1
        return [
            Refusal("zero", [UInt8](repeating: 0, count: 32)),
            Refusal("the order of the group", order.bytes),
            Refusal("more than the order", aboveOrder),
            Refusal("all ones", [UInt8](repeating: 0xFF, count: 32)),
            Refusal("another point's scalar", [UInt8](repeating: 0, count: 31) + [1]),
            Refusal("a leading zero too many", [0] + scalar.bytes),
            Refusal("a byte too few", Array(scalar.bytes.dropLast())),
        ]
    }

    @Test(arguments: badScalars)
    func `refuses a bad scalar`(refusal: Refusal) {
        #expect(throws: CryptographyError.self) {
            _ = try PrivateKey(
                family: .ellipticCurve,
                externalRepresentation: Secret(copying: Self.point.bytes + refusal.bytes)
            )
        }
    }

    @Test func `refuses a point of another curve than announced`() throws {
        let key = try PrivateKey.generate(.ellipticCurve(.p256)).publicKey
        var info = key.subjectPublicKeyInfo
        // The object identifier of P-256 ends in 07; 1.2.840.10045.3.1.1 is P-192.
        info[22] = 0x01
        #expect(throws: CryptographyError.unknownKeyKind) {
            _ = try PublicKey(subjectPublicKeyInfo: info)
        }
    }
}
