import Cryptography
import Secrets
import Testing

@testable import Cryptography

@Suite struct `Importing an RSA key` {
    /// The eight integers of a pair after the version, with leading zeros where DER has them.
    private func integers() throws -> [[UInt8]] {
        let der = try KeyPairs.pair(.rsa(bitCount: 1024)).externalRepresentation()
        var outer = DERReader(der.copyBytesUnprotected()[...])
        var fields = try outer.enter(DERTag.sequence)
        try fields.readVersion(0)
        return try (0..<8).map { _ in [UInt8](try fields.read(DERTag.integer)) }
    }

    private func pair(_ integers: [[UInt8]], version: UInt8 = 0) throws -> PrivateKey {
        let content = ([[version]] + integers).flatMap { DER.element(DERTag.integer, $0) }
        let der = DER.element(DERTag.sequence, content)
        return try PrivateKey(family: .rsa, externalRepresentation: Secret(copying: der))
    }

    @Test func `takes integers that belong together`() throws {
        let pair = try pair(integers())
        #expect(try pair.publicKey == KeyPairs.pair(.rsa(bitCount: 1024)).publicKey)
    }

    @Test(arguments: 0..<8)
    func `refuses an integer that does not belong`(index: Int) throws {
        var integers = try integers()
        integers[index][integers[index].count - 1] ^= 2
        #expect(throws: CryptographyError.self) { _ = try pair(integers) }
    }

    @Test(arguments: 0..<8, [[], [0], [1], [2]] as [[UInt8]])
    func `refuses a trivial integer`(index: Int, value: [UInt8]) throws {
        var integers = try integers()
        integers[index] = value
        #expect(throws: CryptographyError.self) { _ = try pair(integers) }
    }

    @Test(arguments: 0..<8)
    func `refuses a negative integer`(index: Int) throws {
        var integers = try integers()
        integers[index][0] |= 0x80
        #expect(throws: CryptographyError.self) { _ = try pair(integers) }
    }

    @Test(arguments: 0..<8)
    func `refuses a leading zero too many`(index: Int) throws {
        var integers = try integers()
        integers[index].insert(0, at: 0)
        integers[index].insert(0, at: 0)
        #expect(throws: CryptographyError.self) { _ = try pair(integers) }
    }

    @Test func `refuses a key of more than two primes`() throws {
        let integers = try integers()
        #expect(throws: CryptographyError.self) { _ = try pair(integers, version: 1) }
        #expect(throws: CryptographyError.self) { _ = try pair(integers + [[3]]) }
    }

    struct PublicRefusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let modulus: [UInt8]
        let exponent: [UInt8]
    }

    static let odd128 = [0xC1] + [UInt8](repeating: 0x55, count: 127)

    @Test(arguments: [
        PublicRefusal(
            testDescription: "a modulus of 511 bits",
            modulus: [0x7F] + [UInt8](repeating: 0xFF, count: 63),
            exponent: [3]
        ),
        PublicRefusal(
            testDescription: "a modulus of 8193 bits",
            modulus: [1] + [UInt8](repeating: 1, count: 1024),
            exponent: [3]
        ),
        PublicRefusal(
            testDescription: "an even modulus",
            modulus: odd128.dropLast() + [2],
            exponent: [3]
        ),
        PublicRefusal(testDescription: "the exponent 0", modulus: odd128, exponent: [0]),
        PublicRefusal(testDescription: "the exponent 1", modulus: odd128, exponent: [1]),
        PublicRefusal(testDescription: "the exponent 2", modulus: odd128, exponent: [2]),
        PublicRefusal(
            testDescription: "an exponent of 65 bits",
            modulus: odd128,
            exponent: [1, 0, 0, 0, 0, 0, 0, 0, 1]
        ),
    ])
    func `refuses a public key nobody should use`(refusal: PublicRefusal) {
        let der = DER.sequence(
            DER.unsignedInteger(refusal.modulus),
            DER.unsignedInteger(refusal.exponent)
        )
        #expect(throws: CryptographyError.self) {
            _ = try PublicKey(family: .rsa, externalRepresentation: der)
        }
    }
}
