import Cryptography
import Secrets
import Testing

@Suite struct `Key files and the openssl command` {
    @Test(arguments: KeyPairs.kinds)
    func `its pairs are read`(kind: KeyKind) throws {
        let workshop = try OpenSSLWorkshop()
        try workshop.run("genpkey \(kind.openSSLOptions) -out pair.pem")
        try workshop.run("pkcs8 -topk8 -nocrypt -in pair.pem -outform DER -out pair.der")
        try workshop.run("pkey -inform DER -in pair.der -pubout -outform DER -out public.der")
        let pair = try PrivateKey(pkcs8: Secret(copying: workshop.read("pair.der")))
        let publicKey = try PublicKey(subjectPublicKeyInfo: workshop.read("public.der"))
        #expect(pair.kind == kind)
        #expect(pair.publicKey == publicKey)
        #expect(try publicKey.subjectPublicKeyInfo == workshop.read("public.der"))
    }

    @Test(arguments: KeyPairs.kinds)
    func `it reads our pairs`(kind: KeyKind) throws {
        let workshop = try OpenSSLWorkshop()
        let pair = try KeyPairs.pair(kind)
        try workshop.write(pair.pkcs8().copyBytesUnprotected(), to: "pair.der")
        try workshop.run("pkey -inform DER -in pair.der -check -noout")
        try workshop.run("pkey -inform DER -in pair.der -pubout -outform DER -out public.der")
        #expect(try workshop.read("public.der") == pair.publicKey.subjectPublicKeyInfo)
    }

    @Test(arguments: KeyPairs.kinds)
    func `our own pairs are read again`(kind: KeyKind) throws {
        let pair = try KeyPairs.pair(kind)
        let copy = try PrivateKey(pkcs8: pair.pkcs8())
        #expect(copy.publicKey == pair.publicKey)
        let info = pair.publicKey.subjectPublicKeyInfo
        #expect(try PublicKey(subjectPublicKeyInfo: info) == pair.publicKey)
    }

    @Test func `the bare RSA forms are the same`() throws {
        let workshop = try OpenSSLWorkshop()
        let pair = try KeyPairs.pair(.rsa(bitCount: 1024))
        try workshop.write(pair.pkcs8().copyBytesUnprotected(), to: "pair.der")
        let bare = try workshop.run("rsa -inform DER -in pair.der -traditional -outform DER")
        let bytes = try pair.externalRepresentation().copyBytesUnprotected()
        #expect(bare == bytes)
        let half = try workshop.run("rsa -inform DER -in pair.der -RSAPublicKey_out -outform DER")
        #expect(half == pair.publicKey.externalRepresentation)
    }

    @Test(arguments: EllipticCurve.allCases, ["", "-no_public"])
    func `its bare curve keys are read`(curve: EllipticCurve, option: String) throws {
        let workshop = try OpenSSLWorkshop()
        let pair = try PrivateKey.generate(.ellipticCurve(curve))
        try workshop.write(pair.pkcs8().copyBytesUnprotected(), to: "pair.der")
        let bare = try workshop.run("ec -inform DER -in pair.der -outform DER \(option)")
        let copy = try PrivateKey(ecPrivateKey: Secret(copying: bare))
        #expect(copy.publicKey == pair.publicKey)
    }

    @Test(arguments: [
        "-algorithm EC -pkeyopt ec_paramgen_curve:secp256k1",
        "-algorithm EC -pkeyopt ec_paramgen_curve:P-256 -pkeyopt ec_param_enc:explicit",
        "-algorithm ED448", "-algorithm RSA-PSS -pkeyopt rsa_keygen_bits:1024",
    ])
    func `keys of other kinds are refused as such`(options: String) throws {
        let workshop = try OpenSSLWorkshop()
        try workshop.run("genpkey \(options) -out pair.pem")
        try workshop.run("pkcs8 -topk8 -nocrypt -in pair.pem -outform DER -out pair.der")
        try workshop.run("pkey -inform DER -in pair.der -pubout -outform DER -out public.der")
        let pair = try workshop.read("pair.der")
        #expect(throws: CryptographyError.unknownKeyKind) {
            _ = try PrivateKey(pkcs8: Secret(copying: pair))
        }
        let publicKey = try workshop.read("public.der")
        #expect(throws: CryptographyError.unknownKeyKind) {
            _ = try PublicKey(subjectPublicKeyInfo: publicKey)
        }
    }
}
