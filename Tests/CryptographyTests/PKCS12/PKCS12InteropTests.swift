import Cryptography
import Glibc
import Secrets
import Testing

@Suite struct `PKCS#12 files and the openssl command` {
    static let password = "correct horse"

    private func identity() throws -> CertificateFactory {
        let factory = try CertificateFactory()
        _ = try factory.root("root")
        _ = try factory.certificate("ann", issuer: "root")
        return factory
    }

    /// Makes a file of Ann's key, her certificate and the root's.
    private func file(
        _ factory: CertificateFactory,
        options: String,
        password: String = password
    ) throws -> [UInt8] {
        try factory.workshop.run(
            "pkcs12 -export -inkey ann.pem -in ann.crt -certfile root.crt -name Ann \(options)",
            "-passout",
            "pass:\(password)"
        )
    }

    @Test(arguments: [
        "", "-legacy", "-legacy -descert", "-macalg sha1", "-macalg sha384", "-macalg sha512",
        "-nomac", "-keypbe NONE", "-certpbe NONE", "-keypbe NONE -certpbe NONE",
        "-keypbe AES-128-CBC -certpbe AES-192-CBC", "-iter 1", "-nomaciter",
        "-keypbe PBE-SHA1-3DES -certpbe PBE-SHA1-3DES",
        "-legacy -keypbe PBE-SHA1-RC2-128 -certpbe PBE-SHA1-RC4-128",
    ])
    func `its files are read`(options: String) throws {
        let factory = try identity()
        let der = try file(factory, options: options)
        let archive = try PKCS12Archive(
            parsing: der,
            password: Secret(copying: Self.password.utf8)
        )
        let identity = try #require(archive.identities.first)
        #expect(archive.identities.count == 1)
        #expect(archive.certificates.count == 2)
        #expect(identity.key.friendlyName == "Ann")
        #expect(identity.certificate.friendlyName == "Ann")
        #expect(identity.key.localKeyID == identity.certificate.localKeyID)
        #expect(identity.key.localKeyID != nil)
        #expect(identity.certificate.certificate.commonName == "ann")
    }

    @Test(arguments: ["", "-legacy", "-nomac", "-keypbe NONE -certpbe NONE"])
    func `its files are not read with another password`(options: String) throws {
        let der = try file(identity(), options: options)
        #expect(throws: PKCS12Error.wrongPassword) {
            _ = try PKCS12Archive(parsing: der, password: Secret(copying: "wrong".utf8))
        }
    }

    @Test(arguments: ["", "-legacy", "-nomac", "-nomac -legacy"])
    func `its files without a password are read`(options: String) throws {
        let der = try file(identity(), options: options, password: "")
        let archive = try PKCS12Archive(parsing: der, password: Secret(copying: []))
        #expect(archive.identities.count == 1)
    }

    @Test func `its files of certificates alone are read`() throws {
        let factory = try identity()
        let der = try factory.workshop.run(
            "pkcs12 -export -nokeys -in ann.crt -certfile root.crt -passout pass:x"
        )
        let archive = try PKCS12Archive(parsing: der, password: Secret(copying: "x".utf8))
        #expect(archive.keys.isEmpty)
        #expect(archive.certificates.count == 2)
    }

    @Test(arguments: ["", "-nomac"])
    func `its files that would take too long are refused`(option: String) throws {
        let honest: Hex = "0203 011170"
        let der = try file(identity(), options: "-iter \(0x011170) \(option)")
        let greedy: Hex = "0203 7FFFFF"
        #expect(der.indices.contains { der[$0...].starts(with: honest.bytes) })
        let damaged = der.indices.reduce(into: der) { bytes, index in
            guard bytes[index...].starts(with: honest.bytes) else { return }
            bytes.replaceSubrange(index..<index + 5, with: greedy.bytes)
        }
        #expect(throws: PKCS12Error.unsupported("number of iterations")) {
            _ = try PKCS12Archive(parsing: damaged, password: Secret(copying: Self.password.utf8))
        }
    }

    @Test func `its files with keys of another kind are refused as such`() throws {
        let workshop = try OpenSSLWorkshop()
        try workshop.run("genpkey -algorithm ED448 -out key.pem")
        let der = try workshop.run(
            "pkcs12 -export -nocerts -inkey key.pem -passout pass:x"
        )
        #expect(throws: PKCS12Error.unsupported("kind of key")) {
            _ = try PKCS12Archive(parsing: der, password: Secret(copying: "x".utf8))
        }
    }

    @Test(arguments: ["correct horse", "Žofie", ""])
    func `it reads our files`(password: String) throws {
        let factory = try identity()
        let certificate = try factory.certificate("bob", issuer: "root")
        let archive = PKCS12Archive(
            keys: [
                .init(privateKey: try factory.privateKey("ann"), friendlyName: "Ann"),
                .init(privateKey: try factory.privateKey("bob"), localKeyID: [2]),
            ],
            certificates: [.init(certificate: certificate, localKeyID: [2], friendlyName: "Bob")]
        )
        let der = try archive.serialized(password: Secret(copying: password.utf8))
        try factory.workshop.write(der, to: "ours.p12")
        let output = try factory.workshop.run(
            "pkcs12 -in ours.p12 -nodes -passin",
            "pass:\(password)"
        )
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
        #expect(lines.count { $0 == "-----BEGIN PRIVATE KEY-----" } == 2)
        #expect(lines.count { $0 == "-----BEGIN CERTIFICATE-----" } == 1)
        #expect(lines.contains("    friendlyName: Bob"))
        #expect(lines.contains("    localKeyID: 02 "))
    }

    @Test func `the rest of the process keeps a libcrypto without old ciphers`() throws {
        let der = try file(identity(), options: "-legacy")
        let secret = Secret(copying: Self.password.utf8)
        #expect(try PKCS12Archive(parsing: der, password: secret).keys.count == 1)
        typealias IsAvailable = @convention(c) (OpaquePointer?, UnsafePointer<CChar>) -> Int32
        let symbol = try #require(dlsym(nil, "OSSL_PROVIDER_available"))
        let isAvailable = unsafeBitCast(symbol, to: IsAvailable.self)
        #expect(isAvailable(nil, "legacy") == 0)
        #expect(isAvailable(nil, "default") == 1)
    }
}
