import Cryptography
import Testing

@testable import Cryptography

/// Certificates with names that libcrypto refuses to read, or reads in its own way.
@Suite struct `A certificate with an unusual name` {
    struct Row: Sendable {
        let tag: UInt8
        /// Six bytes.
        let bytes: [UInt8]
        let text: String?
    }

    private static let common = Array("ABCDEF".utf8)

    /// A certificate that signed itself, with the name in another type of string.
    private func certificate(_ row: Row) throws -> Certificate {
        let workshop = try OpenSSLWorkshop()
        try workshop.run("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out key.pem")
        var der = try workshop.run(
            "req -x509 -new -key key.pem -utf8 -days 20 -outform DER -subj /CN=ABCDEF"
        )
        let old = [DERTag.utf8String, 6] + Self.common
        let places = der.indices.filter { der[$0...].starts(with: old) }
        #expect(places.count == 2)
        for place in places {
            der.replaceSubrange(place..<(place + 8), with: [row.tag, 6] + row.bytes)
        }
        return try Certificate(der: der)
    }

    @Test(arguments: [
        Row(tag: DERTag.bmpString, bytes: [0xD8, 0x3D, 0xDD, 0x11, 0, 0x41], text: "🔑A"),
        Row(tag: DERTag.bmpString, bytes: [0xD8, 0x3D, 0, 0x41, 0, 0x41], text: nil),
        Row(tag: DERTag.universalString, bytes: [0, 0, 0, 0x41, 0, 0], text: nil),
        Row(tag: DERTag.utf8String, bytes: [0x41, 0xFF, 0xFE, 0x41, 0x41, 0x41], text: nil),
        Row(tag: DERTag.visibleString, bytes: [0x41, 0xE9] + common.prefix(4), text: "AéABCD"),
        Row(tag: DERTag.generalString, bytes: common, text: "ABCDEF"),
        Row(tag: DERTag.videotexString, bytes: common, text: "ABCDEF"),
        Row(tag: DERTag.octetString, bytes: common, text: nil),
    ])
    func `is read, as far as its name is text`(row: Row) throws {
        let read = try certificate(row)
        let names = read.subject.texts(of: ObjectIdentifier.commonName)
        #expect(names == [row.text].compactMap(\.self))
        #expect(read.publicKey?.kind == .ellipticCurve(.p256))
        #expect(read.notAfter - read.notBefore == 20 * 86_400)
        #expect(read.isSelfIssued)
    }

    /// Nobody can tell whom it is about, or the signature is not over these bytes.
    @Test(arguments: [
        Row(tag: DERTag.bmpString, bytes: [0xD8, 0x3D, 0xDD, 0x11, 0, 0x41], text: nil),
        Row(tag: DERTag.visibleString, bytes: common, text: nil),
    ])
    func `is no anchor, and is not trusted by another`(row: Row) throws {
        let leaf = try certificate(row)
        let root = try CertificateFactory().root("root")
        for anchors in [[root], [root, leaf], []] {
            let evaluation = TrustEvaluation(
                leaf: leaf,
                anchors: anchors.filter { $0 != leaf || leaf.handle == nil },
                includesSystemAnchors: false,
                date: leaf.notBefore + 60
            )
            let result = try evaluation.evaluate()
            #expect(!result.isTrusted)
            #expect(result.chain.first == leaf)
        }
        let other = TrustEvaluation(
            leaf: root,
            intermediates: [leaf],
            anchors: [leaf, root],
            includesSystemAnchors: false,
            date: root.notBefore + 60
        )
        #expect(try other.evaluate().isTrusted)
        #expect(!leaf.isSigned(by: root))
    }
}
