import Cryptography
import Secrets
import Testing

@Suite struct `Signatures and the openssl command` {
    struct Scheme: Sendable, CustomTestStringConvertible {
        let kind: KeyKind
        let algorithm: SignatureAlgorithm
        /// What `openssl pkeyutl` has to be told.
        let options: String
        /// What is handed to both.
        let input: [UInt8]
        var testDescription: String { "\(algorithm) with \(kind)" }
    }

    static var schemes: [Scheme] {
        let rsa = KeyKind.rsa(bitCount: 2048)
        let digests = HashAlgorithm.allCases.map { hash in
            (hash, [UInt8](repeating: 0x5A, count: hash.byteCount))
        }
        let padded = digests.flatMap { hash, digest in
            [
                Scheme(
                    kind: rsa,
                    algorithm: .rsaPKCS1v15(hash, .digest),
                    options: "-pkeyopt digest:\(hash) -pkeyopt rsa_padding_mode:pkcs1",
                    input: digest
                ),
                Scheme(
                    kind: rsa,
                    algorithm: .rsaPSS(hash, .digest),
                    options: """
                        -pkeyopt digest:\(hash) -pkeyopt rsa_padding_mode:pss \
                        -pkeyopt rsa_pss_saltlen:digest
                        """,
                    input: digest
                ),
            ]
        }
        let curves = EllipticCurve.allCases.flatMap { curve in
            digests.map { hash, digest in
                Scheme(
                    kind: .ellipticCurve(curve),
                    algorithm: .ecdsa(hash, .digest, .x962),
                    options: "-pkeyopt digest:\(hash)",
                    input: digest
                )
            }
        }
        return padded + curves + [
            Scheme(
                kind: rsa,
                algorithm: .rsaPKCS1v15Raw,
                options: "-pkeyopt rsa_padding_mode:pkcs1",
                input: [UInt8](repeating: 0x5A, count: 64)
            ),
            Scheme(
                kind: .ellipticCurve(.p256),
                algorithm: .ecdsaDigest(.x962),
                options: "",
                input: [UInt8](repeating: 0x5A, count: 50)
            ),
            Scheme(
                kind: .ed25519,
                algorithm: .ed25519,
                options: "-rawin",
                input: [UInt8](repeating: 0x5A, count: 1000)
            ),
        ]
    }

    @Test(arguments: schemes)
    func `ours are verified by it, and its by us`(scheme: Scheme) throws {
        let workshop = try OpenSSLWorkshop()
        let pair = try KeyPairs.pair(scheme.kind)
        try workshop.write(pair.pkcs8().copyBytesUnprotected(), to: "pair.der")
        try workshop.write(pair.publicKey.subjectPublicKeyInfo, to: "public.der")
        try workshop.write(scheme.input, to: "input")

        let ours = try pair.sign(scheme.input, with: scheme.algorithm)
        try workshop.write(ours, to: "ours")
        try workshop.run(
            """
            pkeyutl -verify -pubin -inkey public.der -keyform DER -in input -sigfile ours \
            \(scheme.options)
            """
        )

        try workshop.run(
            "pkeyutl -sign -inkey pair.der -keyform DER -in input -out theirs \(scheme.options)"
        )
        let theirs = try workshop.read("theirs")
        #expect(
            try pair.publicKey.isValidSignature(theirs, for: scheme.input, with: scheme.algorithm)
        )
    }

    @Test func `the bare RSA operation is the same`() throws {
        let workshop = try OpenSSLWorkshop()
        let pair = try KeyPairs.pair(.rsa(bitCount: 2048))
        let block = [UInt8](repeating: 0x5A, count: 256)
        try workshop.write(pair.pkcs8().copyBytesUnprotected(), to: "pair.der")
        try workshop.write(block, to: "block")
        // The command signs hashes only, but without padding decrypting is the same operation.
        let theirs = try workshop.run(
            """
            pkeyutl -decrypt -inkey pair.der -keyform DER -in block \
            -pkeyopt rsa_padding_mode:none
            """
        )
        #expect(try pair.sign(block, with: .rsaRaw) == theirs)
    }

    @Test(arguments: HashAlgorithm.allCases)
    func `whole messages are hashed alike`(hash: HashAlgorithm) throws {
        let workshop = try OpenSSLWorkshop()
        let pair = try PrivateKey.generate(.ellipticCurve(.p384))
        try workshop.write(pair.pkcs8().copyBytesUnprotected(), to: "pair.der")
        let message = try SeededRandomSource(seed: 7).bytes(100_000)
        try workshop.write(message, to: "message")
        try workshop.run("dgst -\(hash) -sign pair.der -keyform DER -out theirs message")
        let theirs = try workshop.read("theirs")
        let algorithm = SignatureAlgorithm.ecdsa(hash, .message, .x962)
        #expect(try pair.publicKey.isValidSignature(theirs, for: message, with: algorithm))
    }
}
