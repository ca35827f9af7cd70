import Cryptography
import Secrets
import Testing

@Suite struct `Encryption and the openssl command` {
    struct Scheme: Sendable, CustomTestStringConvertible {
        let algorithm: EncryptionAlgorithm
        let options: String
        let plaintext: [UInt8]
        var testDescription: String { "\(algorithm)" }
    }

    static let schemes =
        [
            Scheme(
                algorithm: .rsaRaw,
                options: "-pkeyopt rsa_padding_mode:none",
                plaintext: [UInt8](repeating: 0x5A, count: 256)
            ),
            Scheme(
                algorithm: .rsaPKCS1v15,
                options: "-pkeyopt rsa_padding_mode:pkcs1",
                plaintext: [UInt8](repeating: 0x5A, count: 100)
            ),
        ]
        + HashAlgorithm.allCases.map { hash in
            Scheme(
                algorithm: .rsaOAEP(hash),
                options: """
                    -pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:\(hash) \
                    -pkeyopt rsa_mgf1_md:\(hash)
                    """,
                plaintext: [UInt8](repeating: 0x5A, count: 100)
            )
        }

    @Test(arguments: schemes)
    func `ours is opened by it, and its by us`(scheme: Scheme) throws {
        let workshop = try OpenSSLWorkshop()
        let pair = try KeyPairs.pair(.rsa(bitCount: 2048))
        try workshop.write(pair.pkcs8().copyBytesUnprotected(), to: "pair.der")
        try workshop.write(pair.publicKey.subjectPublicKeyInfo, to: "public.der")

        let ours = try pair.publicKey.encrypt(
            Secret(copying: scheme.plaintext),
            with: scheme.algorithm
        )
        try workshop.write(ours, to: "ours")
        let opened = try workshop.run(
            "pkeyutl -decrypt -inkey pair.der -keyform DER -in ours \(scheme.options)"
        )
        #expect(opened == scheme.plaintext)

        try workshop.write(scheme.plaintext, to: "plaintext")
        let theirs = try workshop.run(
            """
            pkeyutl -encrypt -pubin -inkey public.der -keyform DER -in plaintext \
            \(scheme.options)
            """
        )
        let plaintext = try pair.decrypt(theirs, with: scheme.algorithm)
        #expect(plaintext.copyBytesUnprotected() == scheme.plaintext)
    }

    @Test func `it finds the session key in front of our message`() throws {
        let workshop = try OpenSSLWorkshop()
        let pair = try KeyPairs.pair(.rsa(bitCount: 2048))
        try workshop.write(pair.pkcs8().copyBytesUnprotected(), to: "pair.der")
        let message = try pair.publicKey.encrypt(
            Secret(copying: [1, 2, 3]),
            with: .rsaOAEPAESGCM(.sha256)
        )
        try workshop.write(Array(message.prefix(256)), to: "wrapped")
        let sessionKey = try workshop.run(
            """
            pkeyutl -decrypt -inkey pair.der -keyform DER -in wrapped \
            -pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:sha256
            """
        )
        #expect(sessionKey.count == 16)
    }
}
