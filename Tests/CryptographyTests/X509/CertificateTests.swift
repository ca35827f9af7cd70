import Foundation
import Secrets
import TestSupport
import Testing

@testable import Cryptography

@Suite struct `A certificate` {
    private func sample() throws -> (CertificateFactory, Certificate) {
        let factory = try CertificateFactory()
        _ = try factory.root("root", subject: "/C=CZ/O=Sample Works/CN=Root")
        let leaf = try factory.certificate(
            "leaf",
            issuer: "root",
            subject: "/O=Sample Works/CN=Leaf/emailAddress=subject@example.org",
            extensions: """
                subjectAltName=email:first@example.org,DNS:one.example.org,\
                email:second@example.org,DNS:two.example.org,IP:192.0.2.1
                subjectKeyIdentifier=hash
                """
        )
        return (factory, leaf)
    }

    @Test func `tells what the openssl command tells`() throws {
        let (factory, leaf) = try sample()
        let workshop = factory.workshop
        let serial = try workshop.text("x509 -in leaf.crt -noout -serial")
        let hex = leaf.serialNumber.map { String(format: "%02X", $0) }.joined()
        let number = leaf.serialNumber.first == 0 ? String(hex.dropFirst(2)) : hex
        #expect(serial == "serial=\(number)")

        let key = try workshop.run("pkey -in leaf.pem -pubout -outform DER")
        #expect(leaf.publicKey?.subjectPublicKeyInfo == key)
        #expect(try leaf.publicKeyHash == leaf.publicKey?.identity())
        #expect(leaf.subjectKeyIdentifier == leaf.publicKeyHash)
        #expect(leaf.version == 3)
    }

    @Test func `has the dates it was given`() throws {
        let (factory, leaf) = try sample()
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = "MMM d HH:mm:ss yyyy 'GMT'"
        let start = try factory.workshop.text("x509 -in leaf.crt -noout -startdate")
            .replacingOccurrences(of: "notBefore=", with: "")
            .replacingOccurrences(of: "  ", with: " ")
        let date = try #require(formatter.date(from: start))
        #expect(Double(leaf.notBefore) == date.timeIntervalSinceReferenceDate)
        #expect(leaf.notAfter - leaf.notBefore == 20 * 86_400)
    }

    @Test func `lists its names`() throws {
        let (_, leaf) = try sample()
        #expect(leaf.commonName == "Leaf")
        #expect(leaf.hostNames == ["one.example.org", "two.example.org"])
        #expect(
            leaf.emailAddresses == [
                "first@example.org", "second@example.org", "subject@example.org",
            ]
        )
    }

    @Test func `knows who signed it`() throws {
        let factory = try CertificateFactory()
        let root = try factory.root("root")
        let impostor = try factory.root("impostor", subject: "/CN=root")
        let leaf = try factory.certificate("leaf", issuer: "root")
        #expect(leaf.isSigned(by: root))
        #expect(!leaf.isSigned(by: impostor))
        #expect(!leaf.isSigned(by: leaf))
        #expect(root.isSigned(by: root))
        #expect(root.isSelfIssued)
        #expect(!leaf.isSelfIssued)
        #expect(leaf.issuer == root.subject)
        #expect(leaf.chain(among: [impostor, leaf, root]) == [leaf, root])
        #expect(leaf.chain(among: []) == [leaf])
    }

    @Test(
        arguments: [
            ByteChange.emptied, .replaced(by: [0x30], "a tag alone"), .oneByteMore, .oneByteBefore,
            .twice, .lastByteMissing,
        ]
    )
    func `is refused when it is not exactly one in DER`(change: ByteChange) throws {
        let (_, leaf) = try sample()
        #expect(throws: CryptographyError.self) { _ = try Certificate(der: change(leaf.der)) }
    }

    @Test func `is refused in PEM, and when it is cut anywhere`() throws {
        let (factory, leaf) = try sample()
        let pem = try factory.workshop.read("leaf.crt")
        let der = leaf.der
        #expect(throws: CryptographyError.self) { _ = try Certificate(der: pem) }
        let accepted = stride(from: 0, to: der.count, by: 7).filter { byteCount in
            let part = Array(der.prefix(byteCount))
            return !(failure { try Certificate(der: part) } is CryptographyError)
        }
        #expect(accepted == [])
    }

    @Test func `is refused when it is BER outside its signed part`() throws {
        var outer = DERReader(try sample().1.der[...])
        var parts = try outer.enter(DERTag.sequence)
        let body = [UInt8](try parts.readElement().encoding)
        let algorithm = [UInt8](try parts.read(DERTag.sequence))
        let signature = [UInt8](try parts.readElement().encoding)
        func certificate(_ parameters: [UInt8]) -> [UInt8] {
            DER.sequence(body, DER.element(DERTag.sequence, algorithm + parameters), signature)
        }
        let octets = certificate([DERTag.octetString, 0])
        #expect(try Certificate(der: octets).der == octets)
        #expect(throws: CryptographyError.self) {
            _ = try Certificate(der: certificate([DERTag.octetString | 0x20, 0]))
        }
    }

    @Test(arguments: [
        "-algorithm ED448", "-algorithm EC -pkeyopt ec_paramgen_curve:secp256k1",
    ])
    func `of an unknown kind of key has bits but no key`(options: String) throws {
        let workshop = try OpenSSLWorkshop()
        try workshop.run("genpkey \(options) -out key.pem")
        let der = try workshop.run("req -x509 -new -key key.pem -outform DER -subj /CN=Odd")
        let certificate = try Certificate(der: der)
        #expect(certificate.publicKey == nil)
        #expect(!certificate.publicKeyBits.isEmpty)
        #expect(try certificate.publicKeyHash == Digest.sha1(certificate.publicKeyBits))
        #expect(certificate.isSigned(by: certificate))
    }

    @Test(arguments: KeyPairs.kinds.filter { $0 != .x25519 })
    func `names the identity of its private key`(kind: KeyKind) throws {
        let workshop = try OpenSSLWorkshop()
        let pair = try KeyPairs.pair(kind)
        try workshop.write(pair.pkcs8().copyBytesUnprotected(), to: "key.der")
        let der = try workshop.run(
            "req -x509 -new -key key.der -keyform DER -outform DER -subj /CN=Own"
        )
        let certificate = try Certificate(der: der)
        #expect(certificate.publicKey == pair.publicKey)
        #expect(try certificate.publicKeyHash == pair.publicKey.identity())
    }

    struct Summary: Sendable {
        let subject: String
        var alternativeNames = ""
        let expected: String?
    }

    @Test(arguments: [
        Summary(subject: "/O=Works/CN=Ann", expected: "Ann"),
        Summary(subject: "/CN=Works/CN=Ann", expected: "Ann"),
        Summary(subject: "/CN=Ann/description=Test key", expected: "Ann (Test key)"),
        Summary(subject: "/CN=Ann", alternativeNames: "email:a@example.org", expected: "Ann"),
        Summary(subject: "/CN=Žofie", expected: "Žofie"),
        Summary(
            subject: "/O=Works/emailAddress=b@example.org",
            alternativeNames: "email:a@example.org,DNS:a.example.org",
            expected: "a@example.org"
        ),
        Summary(subject: "/O=Works/emailAddress=b@example.org", expected: "b@example.org"),
        Summary(
            subject: "/O=Works",
            alternativeNames: "DNS:a.example.org",
            expected: "a.example.org"
        ),
        Summary(subject: "/OU=Lab/O=Works", expected: "Works"),
        Summary(subject: "/OU=Lab/C=CZ", expected: "Lab"),
        Summary(subject: "/C=CZ", expected: "CZ"),
        Summary(subject: "/", expected: nil),
    ])
    func `is summed up for people`(summary: Summary) throws {
        let factory = try CertificateFactory()
        _ = try factory.root("root")
        let names = summary.alternativeNames
        let leaf = try factory.certificate(
            "leaf",
            issuer: "root",
            subject: summary.subject,
            extensions: names.isEmpty ? "" : "subjectAltName=\(names)"
        )
        #expect(leaf.subjectSummary == summary.expected)
    }
}
