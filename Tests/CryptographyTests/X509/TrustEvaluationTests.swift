import Cryptography
import Testing

@Suite struct `Trust in a certificate` {
    /// A root, an issuer below it and a server below that.
    private struct Chain {
        let factory: CertificateFactory
        let root: Certificate
        let issuer: Certificate
        let server: Certificate
        private static let usual = "subjectAltName=DNS:www.example.org\n\(forServers)"
        static let forServers = "extendedKeyUsage=serverAuth"

        init(server extensions: String = Self.usual) throws {
            factory = try CertificateFactory()
            root = try factory.root("root")
            issuer = try factory.certificate(
                "issuer",
                issuer: "root",
                extensions: CertificateFactory.authority,
                options: "-days 25"
            )
            server = try factory.certificate("server", issuer: "issuer", extensions: extensions)
        }

        func evaluation(host: String? = nil) -> TrustEvaluation {
            TrustEvaluation(
                leaf: server,
                intermediates: [issuer],
                anchors: [root],
                includesSystemAnchors: false,
                purpose: .tlsServer,
                hostName: host,
                date: server.notBefore + 60
            )
        }
    }

    @Test func `reaches from the leaf to an anchor`() throws {
        let chain = try Chain()
        let result = try chain.evaluation(host: "www.example.org").evaluate()
        #expect(result.failure == nil)
        #expect(result.isTrusted)
        #expect(result.chain == [chain.server, chain.issuer, chain.root])
    }

    @Test func `is there when the anchor is no root`() throws {
        let chain = try Chain()
        var evaluation = chain.evaluation()
        evaluation.intermediates = []
        evaluation.anchors = [chain.issuer]
        #expect(try evaluation.evaluate().isTrusted)
        evaluation.anchors = [chain.server]
        #expect(try evaluation.evaluate().chain == [chain.server])
        #expect(try evaluation.evaluate().isTrusted)
    }

    @Test(arguments: [Int64.min, .max, .max - 978_307_199])
    func `is not there at moments beyond every calendar`(date: Int64) throws {
        var evaluation = try Chain().evaluation()
        evaluation.date = date
        #expect(try !evaluation.evaluate().isTrusted)
    }

    @Test func `needs the certificates between`() throws {
        var evaluation = try Chain().evaluation()
        evaluation.intermediates = []
        let failure = try evaluation.evaluate().failure
        #expect(failure?.reason == .incompleteChain)
        #expect(failure?.depth == 0)
    }

    @Test func `needs an anchor`() throws {
        let chain = try Chain()
        var evaluation = chain.evaluation()
        evaluation.anchors = []
        evaluation.intermediates = [chain.issuer, chain.root]
        #expect(try evaluation.evaluate().failure?.reason == .untrustedRoot)
        evaluation.anchors = [try chain.factory.root("stranger")]
        #expect(try evaluation.evaluate().failure?.reason == .untrustedRoot)
        evaluation.includesSystemAnchors = true
        #expect(try evaluation.evaluate().failure?.reason == .untrustedRoot)
    }

    @Test func `has its time`() throws {
        let chain = try Chain()
        var evaluation = chain.evaluation()
        evaluation.date = chain.server.notAfter + 1
        #expect(try evaluation.evaluate().failure?.reason == .expired)
        evaluation.date = chain.server.notBefore - 86_400
        #expect(try evaluation.evaluate().failure?.reason == .notYetValid)
        evaluation.date = chain.server.notAfter - 3_600  // Its issuers expire earlier.
        #expect(try evaluation.evaluate().isTrusted)
    }

    struct Host: Sendable {
        let names: String
        let host: String
        let fits: Bool
    }

    @Test(arguments: [
        Host(names: "DNS:www.example.org", host: "www.example.org", fits: true),
        Host(names: "DNS:www.example.org", host: "WWW.Example.ORG", fits: true),
        Host(names: "DNS:www.example.org", host: "www.example.org.", fits: true),
        Host(names: "DNS:www.example.org", host: "example.org", fits: false),
        Host(names: "DNS:www.example.org", host: ".example.org", fits: false),
        Host(names: "DNS:www.example.org", host: "", fits: false),
        Host(names: "DNS:www.example.org", host: ".", fits: false),
        Host(names: "DNS:www.example.org", host: "www.example.org\0", fits: false),
        Host(names: "DNS:*.example.org", host: "www.example.org", fits: true),
        Host(names: "DNS:*.example.org", host: "a.www.example.org", fits: false),
        Host(names: "DNS:*.example.org", host: "example.org", fits: false),
        Host(names: "DNS:w*.example.org", host: "www.example.org", fits: false),
        Host(names: "IP:192.0.2.1", host: "192.0.2.1", fits: true),
        Host(names: "IP:192.0.2.1", host: "192.0.2.2", fits: false),
        Host(names: "DNS:192.0.2.1", host: "192.0.2.1", fits: false),
        Host(names: "IP:2001:db8::1", host: "2001:db8::1", fits: true),
        // The common name is not looked at.
        Host(names: "email:a@example.org", host: "server", fits: false),
    ])
    func `is for the hosts it names`(row: Host) throws {
        let chain = try Chain(server: "subjectAltName=\(row.names)\n\(Chain.forServers)")
        let result = try chain.evaluation(host: row.host).evaluate()
        #expect(result.isTrusted == row.fits)
        #expect(result.failure?.reason == (row.fits ? nil : .hostNameMismatch))
    }

    struct Use: Sendable {
        let extensions: String
        let purpose: TrustEvaluation.Purpose
        let fits: Bool
    }

    @Test(arguments: [
        Use(extensions: "extendedKeyUsage=serverAuth", purpose: .tlsServer, fits: true),
        Use(extensions: "extendedKeyUsage=serverAuth", purpose: .tlsClient, fits: false),
        Use(extensions: "extendedKeyUsage=clientAuth", purpose: .tlsServer, fits: false),
        Use(extensions: "extendedKeyUsage=clientAuth", purpose: .tlsClient, fits: true),
        Use(extensions: "extendedKeyUsage=emailProtection", purpose: .any, fits: true),
    ])
    func `is for the use it names`(use: Use) throws {
        var evaluation = try Chain(server: use.extensions).evaluation()
        evaluation.purpose = use.purpose
        let failure = try evaluation.evaluate().failure
        #expect(failure?.reason == (use.fits ? nil : .wrongPurpose))
    }

    @Test func `does not follow from someone who may not issue`() throws {
        let factory = try CertificateFactory()
        let root = try factory.root("root")
        let middle = try factory.certificate(
            "middle",
            issuer: "root",
            extensions: "basicConstraints=critical,CA:FALSE"
        )
        let leaf = try factory.certificate("leaf", issuer: "middle")
        let evaluation = TrustEvaluation(
            leaf: leaf,
            intermediates: [middle],
            anchors: [root],
            includesSystemAnchors: false,
            date: leaf.notBefore + 60
        )
        let failure = try evaluation.evaluate().failure
        #expect(failure?.reason == .notAuthority)
        #expect(failure?.depth == 1)
    }

    @Test func `does not survive an altered signature`() throws {
        let chain = try Chain()
        var der = chain.server.der
        der[der.count - 1] ^= 1
        var evaluation = chain.evaluation()
        evaluation.leaf = try Certificate(der: der)
        #expect(try evaluation.evaluate().failure?.reason == .badSignature)
        #expect(!evaluation.leaf.isSigned(by: chain.issuer))
    }

    @Test func `needs keys and hashes of some strength for TLS`() throws {
        let workshop = try OpenSSLWorkshop()
        let pair = try KeyPairs.pair(.rsa(bitCount: 1024))
        try workshop.write(pair.pkcs8().copyBytesUnprotected(), to: "key.der")
        let der = try workshop.run(
            "req -x509 -new -key key.der -keyform DER -outform DER -subj /CN=Weak"
        )
        let weak = try Certificate(der: der)
        var evaluation = TrustEvaluation(
            leaf: weak,
            anchors: [weak],
            includesSystemAnchors: false,
            date: weak.notBefore + 60
        )
        #expect(try evaluation.evaluate().isTrusted)
        evaluation.purpose = .tlsServer
        #expect(try evaluation.evaluate().failure?.reason == .weakKey)
    }
}
