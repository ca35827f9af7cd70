import Security
import TestSupport
import Testing

/// ★ An algorithm with what `openssl pkeyutl` calls it.
private struct Counterpart: Sendable, CustomTestStringConvertible {
    let pair: KeyPair
    let algorithm: SecKeyAlgorithm
    let options: String

    init(_ pair: KeyPair, _ algorithm: SecKeyAlgorithm, _ options: String) {
        self.pair = pair
        self.algorithm = algorithm
        self.options = options
    }

    var testDescription: String { "\(pair.testDescription) \(options)" }

    private static let pss =
        "-digest sha384 -pkeyopt rsa_padding_mode:pss -pkeyopt rsa_pss_saltlen:digest"

    static let signatures = [
        Counterpart(.rsa, .rsaSignatureMessagePKCS1v15SHA256, "-digest sha256"),
        Counterpart(.rsa, .rsaSignatureMessagePSSSHA384, pss),
        Counterpart(.p256, .ecdsaSignatureMessageX962SHA256, "-digest sha256"),
        Counterpart(.p384, .ecdsaSignatureMessageX962SHA384, "-digest sha384"),
        Counterpart(.p521, .ecdsaSignatureMessageX962SHA512, "-digest sha512"),
        Counterpart(.ed25519, .eddsaSignatureMessageCurve25519SHA512, ""),
    ]

    static let encryptions = [
        Counterpart(.rsa, .rsaEncryptionPKCS1, "-pkeyopt rsa_padding_mode:pkcs1"),
        Counterpart(
            .rsa,
            .rsaEncryptionOAEPSHA256,
            "-pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:sha256"
        ),
    ]
}

@Suite struct `Another program` {
    private static let message = Data("what both programs read".utf8)

    @Test(.requirement("KEY-15", "KEY-22"), arguments: Counterpart.signatures)
    private func `understands a signature made here`(row: Counterpart) throws {
        var files = try row.pair.files()
        files["input"] = Self.message
        let made = Keys.sign(row.pair.privateKey, row.algorithm, Self.message)
        files["signature"] = made.value
        try OpenSSL.run(
            "pkeyutl -verify -rawin -pubin -inkey public.der -keyform DER -in input "
                + "-sigfile signature " + row.options,
            files: files
        )
    }

    @Test(.requirement("KEY-15", "KEY-22"), arguments: Counterpart.signatures)
    private func `makes signatures that are understood here`(row: Counterpart) throws {
        var files = try row.pair.files()
        files["input"] = Self.message
        let signature = try OpenSSL.run(
            "pkeyutl -sign -rawin -inkey private.der -keyform DER -in input " + row.options,
            files: files
        )
        let check = Keys.verify(row.pair.publicKey, row.algorithm, Self.message, signature)
        #expect(check.value == true)
    }

    @Test(.requirement("KEY-15"), arguments: Counterpart.encryptions)
    private func `exchanges encrypted texts`(row: Counterpart) throws {
        var files = try row.pair.files()
        files["input"] = Self.message
        let theirs = try OpenSSL.run(
            "pkeyutl -encrypt -pubin -inkey public.der -keyform DER -in input " + row.options,
            files: files
        )
        let opened = Keys.decrypt(row.pair.privateKey, row.algorithm, theirs)
        #expect(opened.value == Self.message)
        let sealed = Keys.encrypt(row.pair.publicKey, row.algorithm, Self.message)
        files["input"] = sealed.value
        let read = try OpenSSL.run(
            "pkeyutl -decrypt -inkey private.der -keyform DER -in input " + row.options,
            files: files
        )
        #expect(read == Self.message)
    }

    @Test(.requirement("KEY-15"), arguments: KeyPair.curves + [.x25519])
    func `agrees on the same secret`(pair: KeyPair) throws {
        let peer = try pair.another()
        let peerPublic = try #require(SecKeyCopyPublicKey(peer))
        var files = try pair.files()
        files["peer.der"] = try pair.publicKeyInfo(#require(Keys.export(peerPublic).value))
        let theirs = try OpenSSL.run(
            "pkeyutl -derive -inkey private.der -keyform DER -peerkey peer.der -peerform DER",
            files: files
        )
        let ours = Keys.agree(peer, .ecdhKeyExchangeStandard, with: pair.publicKey)
        #expect(ours.value == theirs)
    }

    @Test(.requirement("KEY-22")) func `reads an exported RSA public key`() throws {
        let bytes = try #require(Keys.export(KeyPair.rsa.publicKey).value)
        let info = try OpenSSL.run(
            "rsa -RSAPublicKey_in -inform DER -in key -pubout -outform DER",
            files: ["key": bytes]
        )
        #expect(try info == KeyPair.rsa.publicKeyInfo(bytes))
    }

    @Test(.requirement("KEY-08", "KEY-13", "KEY-22"), arguments: [2048, 3072])
    func `makes RSA keys that can be imported`(bitCount: Int) throws {
        let pem = try OpenSSL.run("genrsa -traditional \(bitCount)")
        let bytes = try OpenSSL.run(
            "rsa -in key -traditional -outform DER",
            files: ["key": pem]
        )
        let key = try #require(Keys.read(bytes, KeyPair.rsa.form(isPrivate: true)).value)
        #expect(Keys.export(key).value == bytes)
        #expect(SecKeyGetBlockSize(key) == bitCount / 8)
        let publicKey = try #require(SecKeyCopyPublicKey(key))
        let theirs = try OpenSSL.run(
            "rsa -in key -RSAPublicKey_out -outform DER",
            files: ["key": pem]
        )
        #expect(Keys.export(publicKey).value == theirs)
    }

    @Test(.requirement("KEY-08", "KEY-22"))
    func `makes keys on a curve that can be imported`() throws {
        let der = try OpenSSL.run("ecparam -name prime256v1 -genkey -noout -outform DER")
        let bytes = Data(der.suffix(65) + der.dropFirst(7).prefix(32))
        let key = try #require(Keys.read(bytes, KeyPair.p256.form(isPrivate: true)).value)
        #expect(Keys.export(key).value == bytes)
        let signature = Keys.sign(key, .ecdsaSignatureMessageX962SHA256, Self.message)
        let info = try KeyPair.p256.publicKeyInfo(Data(der.suffix(65)))
        try OpenSSL.run(
            "dgst -sha256 -verify public.der -keyform DER -signature signature input",
            files: [
                "public.der": info, "signature": #require(signature.value),
                "input": Self.message,
            ]
        )
    }
}
