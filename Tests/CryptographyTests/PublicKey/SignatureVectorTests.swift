import Cryptography
import Secrets
import Testing

@Suite struct `Published signatures` {
    struct Edwards: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let seed: Hex
        let publicKey: Hex
        let message: Hex
        let signature: Hex
    }

    // RFC 8032 §7.1.
    @Test(arguments: [
        Edwards(
            testDescription: "test 1",
            seed: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            publicKey: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            message: "",
            signature: """
                e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155
                5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b
                """
        ),
        Edwards(
            testDescription: "test 2",
            seed: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            publicKey: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            message: "72",
            signature: """
                92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da
                085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00
                """
        ),
        Edwards(
            testDescription: "test 3",
            seed: "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            publicKey: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            message: "af82",
            signature: """
                6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac
                18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a
                """
        ),
    ])
    func `of Ed25519 come out`(vector: Edwards) throws {
        let pair = try PrivateKey(
            family: .ed25519,
            externalRepresentation: Secret(copying: vector.seed.bytes)
        )
        #expect(pair.publicKey.externalRepresentation == vector.publicKey.bytes)
        let signature = try pair.sign(vector.message.bytes, with: .ed25519)
        #expect(signature == vector.signature.bytes)
    }

    @Test func `of Ed25519 are refused with the group order added to the scalar`() throws {
        let publicKey = try PublicKey(
            family: .ed25519,
            externalRepresentation: Hex(
                stringLiteral: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
            ).bytes
        )
        let signature: Hex = """
            e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155
            5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b
            """
        let order: Hex = "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010"
        var carry = 0
        let scalar = zip(signature.bytes[32...], order.bytes).map { first, second in
            let sum = Int(first) + Int(second) + carry
            carry = sum >> 8
            return UInt8(truncatingIfNeeded: sum)
        }
        let malleable = Array(signature.bytes.prefix(32)) + scalar
        #expect(try publicKey.isValidSignature(signature.bytes, for: [], with: .ed25519))
        #expect(try !publicKey.isValidSignature(malleable, for: [], with: .ed25519))
    }

    struct Weierstrass: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let point: Hex
        let hash: HashAlgorithm
        let message: String
        let signature: Hex
    }

    static let p384: Hex = """
        04 EC3A4E415B4E19A4568618029F427FA5DA9A8BC4AE92E02E06AAE5286B300C64
        DEF8F0EA9055866064A254515480BC13
        8015D9B72D7D57244EA8EF9AC0C621896708A59367F9DFB9F54CA84B3F1C9DB1
        288B231C3AE0D4FE7344FD2533264720
        """

    // RFC 6979 A.2.5 and A.2.6.
    static let weierstrass = [
        Weierstrass(
            testDescription: "P-256, SHA-1, sample",
            point: `Importing a key on a NIST curve`.point,
            hash: .sha1,
            message: "sample",
            signature: """
                61340C88C3AAEBEB4F6D667F672CA9759A6CCAA9FA8811313039EE4A35471D32
                6D7F147DAC089441BB2E2FE8F7A3FA264B9C475098FDCF6E00D7C996E1B8B7EB
                """
        ),
        Weierstrass(
            testDescription: "P-256, SHA-256, sample",
            point: `Importing a key on a NIST curve`.point,
            hash: .sha256,
            message: "sample",
            signature: """
                EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716
                F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8
                """
        ),
        Weierstrass(
            testDescription: "P-256, SHA-256, test",
            point: `Importing a key on a NIST curve`.point,
            hash: .sha256,
            message: "test",
            signature: """
                F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367
                019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083
                """
        ),
        Weierstrass(
            testDescription: "P-384, SHA-384, sample",
            point: p384,
            hash: .sha384,
            message: "sample",
            signature: """
                94EDBB92A5ECB8AAD4736E56C691916B3F88140666CE9FA73D64C4EA95AD133C
                81A648152E44ACF96E36DD1E80FABE46
                99EF4AEB15F178CEA1FE40DB2603138F130E740A19624526203B6351D0A3A94F
                A329C145786E679E7B82C71A38628AC8
                """
        ),
    ]

    @Test(arguments: weierstrass)
    func `of ECDSA are valid`(vector: Weierstrass) throws {
        let publicKey = try PublicKey(
            family: .ellipticCurve,
            externalRepresentation: vector.point.bytes
        )
        let message = [UInt8](vector.message.utf8)
        let algorithm = SignatureAlgorithm.ecdsa(vector.hash, .message, .rfc4754)
        #expect(
            try publicKey.isValidSignature(vector.signature.bytes, for: message, with: algorithm)
        )
    }

    struct Forgery: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let r: [UInt8]
        let s: [UInt8]
    }

    static var forgeries: [Forgery] {
        let signature = weierstrass[2].signature.bytes
        let (r, s) = (Array(signature.prefix(32)), Array(signature.suffix(32)))
        let order = `Importing a key on a NIST curve`.order.bytes
        let zero = [UInt8](repeating: 0, count: 32)
        let ones = [UInt8](repeating: 0xFF, count: 32)
        return [
            Forgery(testDescription: "r is zero", r: zero, s: s),
            Forgery(testDescription: "s is zero", r: r, s: zero),
            Forgery(testDescription: "both are zero", r: zero, s: zero),
            Forgery(testDescription: "r is the order", r: order, s: s),
            Forgery(testDescription: "s is the order", r: r, s: order),
            Forgery(testDescription: "r is over the order", r: ones, s: s),
            Forgery(testDescription: "s is over the order", r: r, s: ones),
            Forgery(testDescription: "they are swapped", r: s, s: r),
        ]
    }

    @Test(arguments: forgeries)
    func `of ECDSA are refused out of range`(forgery: Forgery) throws {
        let publicKey = try PublicKey(
            family: .ellipticCurve,
            externalRepresentation: Self.weierstrass[2].point.bytes
        )
        let message = [UInt8]("test".utf8)
        let raw = SignatureAlgorithm.ecdsa(.sha256, .message, .rfc4754)
        let isValid = try publicKey.isValidSignature(forgery.r + forgery.s, for: message, with: raw)
        #expect(!isValid)
    }

    /// The last published signature in DER: `s` starts with a byte under 0x80, `r` does not.
    static let der: Hex = """
        3045 022100 F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367
        0220 019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083
        """

    struct Encoding: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let der: [UInt8]
        var isValid = false
    }

    static var encodings: [Encoding] {
        let der = der.bytes
        let r = Array(der[2..<37])
        let s = Array(der[37...])
        return [
            Encoding(testDescription: "as it should be", der: der, isValid: true),
            Encoding(testDescription: "a long length", der: [0x30, 0x81, 0x45] + der[2...]),
            Encoding(testDescription: "an open length", der: [0x30, 0x80] + der[2...] + [0, 0]),
            Encoding(
                testDescription: "r without its zero",
                der: [0x30, 0x44, 0x02, 0x20] + r[3...] + s
            ),
            Encoding(
                testDescription: "s with a zero",
                der: [0x30, 0x46] + r + [0x02, 0x21, 0x00] + s[2...]
            ),
            Encoding(testDescription: "a third number", der: [0x30, 0x48] + r + s + [2, 1, 0]),
            Encoding(testDescription: "one number", der: [0x30, 0x23] + r),
            Encoding(testDescription: "no numbers", der: [0x30, 0x00]),
            Encoding(testDescription: "a byte behind", der: der + [0]),
            Encoding(testDescription: "a byte missing", der: der.dropLast()),
            Encoding(testDescription: "a huge length", der: [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF]),
            Encoding(testDescription: "both at full width", der: Array(r[3...] + s[2...])),
        ]
    }

    @Test(arguments: encodings)
    func `of ECDSA are refused in any other DER`(encoding: Encoding) throws {
        let publicKey = try PublicKey(
            family: .ellipticCurve,
            externalRepresentation: Self.weierstrass[2].point.bytes
        )
        let isValid = try publicKey.isValidSignature(
            encoding.der,
            for: [UInt8]("test".utf8),
            with: .ecdsa(.sha256, .message, .x962)
        )
        #expect(isValid == encoding.isValid)
    }

    @Test func `of one curve are refused on another`() throws {
        let algorithm = SignatureAlgorithm.ecdsa(.sha256, .message, .x962)
        let message = [UInt8]("test".utf8)
        let signature = try PrivateKey.generate(.ellipticCurve(.p521)).sign(
            message,
            with: algorithm
        )
        let other = try PrivateKey.generate(.ellipticCurve(.p256)).publicKey
        #expect(try !other.isValidSignature(signature, for: message, with: algorithm))
    }
}
