import Cryptography
import Foundation
import Testing

/// Apple's rules for servers' certificates, under each kind of anchor.
@Suite struct `A TLS server's certificate` {
    /// Why the root is trusted.
    enum Origin: String, Sendable, CaseIterable {
        /// The program names it.
        case given
        /// It came with the system.
        case system
        /// It came with the system, and the program names it all the same.
        case givenAndSystem
        /// An administrator added it.
        case added
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var origins = Origin.allCases
        let start: String
        let days: Int
        var use: String? = "serverAuth"
        var reason: TrustFailure.Reason?

        var testDescription: String {
            "\(origins.map(\.rawValue)): \(days) days from \(start), \(use ?? "no use")"
        }
    }

    /// A root, its server, and a file and a directory that may make the root known to the system.
    private struct Chain {
        let factory: CertificateFactory
        let root: Certificate
        let server: Certificate

        init(_ row: Row) throws {
            factory = try CertificateFactory()
            root = try factory.certificate(
                "root",
                issuer: "root",
                from: "20150101000000Z",
                to: "20450101000000Z",
                extensions: CertificateFactory.authority
            )
            server = try factory.certificate(
                "server",
                issuer: "root",
                from: row.start,
                to: Self.moment(row.start, days: row.days),
                extensions: "subjectAltName=DNS:www.example.org"
                    + (row.use.map { "\nextendedKeyUsage=\($0)" } ?? "")
            )
        }

        private static func moment(_ start: String, days: Int) throws -> String {
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.timeZone = TimeZone(identifier: "UTC")
            formatter.dateFormat = "yyyyMMddHHmmss'Z'"
            let first = try #require(formatter.date(from: start))
            return formatter.string(from: first.addingTimeInterval(Double(days) * 86_400))
        }

        func evaluation(_ origin: Origin) throws -> TrustEvaluation {
            var evaluation = TrustEvaluation(
                leaf: server,
                anchors: origin == .given || origin == .givenAndSystem ? [root] : [],
                includesSystemAnchors: origin != .given,
                purpose: .tlsServer,
                hostName: "www.example.org",
                date: server.notBefore + 60
            )
            evaluation.systemAnchors = try systemAnchors(origin)
            return evaluation
        }

        /// A system that knows the root, or another one only.
        func systemAnchors(_ origin: Origin, of name: String = "root") throws -> SystemAnchors {
            let workshop = factory.workshop
            let stranger = try factory.root("stranger")
            #expect(stranger.isSelfIssued)
            let known = origin == .given ? "stranger" : name
            try FileManager.default.createDirectory(
                atPath: workshop.path("added/below"),
                withIntermediateDirectories: true
            )
            if origin == .added {
                try workshop.write(workshop.read("\(name).crt"), to: "added/below/our.crt")
            }
            return SystemAnchors(
                file: workshop.path("\(known).crt"),
                addedBelow: [workshop.path("none"), workshop.path("added")]
            )
        }
    }

    private static let apps: [Origin] = [.given]
    private static let systems: [Origin] = [.system, .givenAndSystem]
    private static let administrators: [Origin] = [.added]

    @Test(arguments: [
        // 825 days since July 2019, for anchors of programs and administrators.
        Row(start: "20190702000000Z", days: 825),
        Row(start: "20190702000000Z", days: 826, reason: .validTooLong),
        Row(origins: apps + administrators, start: "20190630000000Z", days: 4_000),
        Row(origins: apps + administrators, start: "20210101000000Z", days: 825),
        Row(
            origins: apps + administrators,
            start: "20210101000000Z",
            days: 826,
            reason: .validTooLong
        ),
        // 398 days since September 2020 below the system's roots, and more before.
        Row(start: "20200901000000Z", days: 398),
        Row(origins: systems, start: "20200901000000Z", days: 399, reason: .validTooLong),
        Row(start: "20200831000000Z", days: 825),
        Row(origins: systems, start: "20180301000000Z", days: 826, reason: .validTooLong),
        Row(origins: systems, start: "20180228000000Z", days: 1_188),
        Row(origins: systems, start: "20180228000000Z", days: 1_189, reason: .validTooLong),
        Row(origins: systems, start: "20160630000000Z", days: 1_827),
        Row(origins: systems, start: "20160630000000Z", days: 1_828, reason: .validTooLong),
        // The use for servers is named.
        Row(origins: apps, start: "20190702000000Z", days: 9, use: nil, reason: .wrongPurpose),
        Row(origins: apps, start: "20190630000000Z", days: 9, use: nil),
        Row(origins: systems, start: "20160101000000Z", days: 9, use: nil, reason: .wrongPurpose),
        Row(origins: administrators, start: "20210101000000Z", days: 9, use: nil),
        Row(
            origins: apps + systems,
            start: "20210101000000Z",
            days: 9,
            use: "anyExtendedKeyUsage",
            reason: .wrongPurpose
        ),
        Row(start: "20210101000000Z", days: 9, use: "clientAuth,serverAuth"),
        Row(start: "20210101000000Z", days: 9, use: "clientAuth", reason: .wrongPurpose),
    ])
    func `is valid for as long, and for the use, as Apple demands`(row: Row) throws {
        let chain = try Chain(row)
        for origin in row.origins {
            let result = try chain.evaluation(origin).evaluate()
            #expect(result.failure?.reason == row.reason, "\(origin)")
        }
    }

    /// Nothing else is asked of clients, of code, and of certificates for no particular use.
    @Test(arguments: [TrustEvaluation.Purpose.any, .tlsClient, .codeSigning])
    func `is the only one that the rules are for`(purpose: TrustEvaluation.Purpose) throws {
        let use = "clientAuth,codeSigning"
        let chain = try Chain(Row(start: "20210101000000Z", days: 4_000, use: use))
        for origin in Origin.allCases {
            var evaluation = try chain.evaluation(origin)
            evaluation.purpose = purpose
            evaluation.hostName = nil
            #expect(try evaluation.evaluate().isTrusted, "\(origin)")
        }
    }

    @Test func `that an administrator trusts by itself may be valid for longer`() throws {
        let chain = try Chain(Row(start: "20210101000000Z", days: 4_000))
        var evaluation = try chain.evaluation(.added)
        evaluation.systemAnchors = try chain.systemAnchors(.added, of: "server")
        #expect(try evaluation.evaluate().isTrusted)
    }

    /// The gravest reason is named: the period before the anchor, the use, the name and the date.
    @Test func `keeps to the rules whether or not its root is trusted`() throws {
        let chain = try Chain(Row(start: "20210101000000Z", days: 4_000, use: "clientAuth"))
        var evaluation = try chain.evaluation(.given)
        evaluation.anchors = []
        evaluation.hostName = "other.example.org"
        #expect(try evaluation.evaluate().failure?.reason == .validTooLong)
        evaluation.date = chain.server.notAfter + 1
        #expect(try evaluation.evaluate().failure?.reason == .validTooLong)
    }

    struct Weakness: Sendable {
        let key: String
        let hash: String
        let reason: TrustFailure.Reason?
    }

    @Test(arguments: [
        Weakness(key: "RSA -pkeyopt rsa_keygen_bits:2048", hash: "sha256", reason: nil),
        Weakness(key: "RSA -pkeyopt rsa_keygen_bits:2040", hash: "sha256", reason: .weakKey),
        Weakness(key: "EC -pkeyopt ec_paramgen_curve:P-224", hash: "sha256", reason: .weakKey),
        Weakness(key: "EC -pkeyopt ec_paramgen_curve:P-384", hash: "sha256", reason: nil),
        Weakness(
            key: "EC -pkeyopt ec_paramgen_curve:P-256",
            hash: "sha1",
            reason: .weakSignature
        ),
        Weakness(key: "RSA -pkeyopt rsa_keygen_bits:1024", hash: "sha1", reason: .weakKey),
    ])
    func `has a key and a signature of some strength`(row: Weakness) throws {
        let factory = try CertificateFactory()
        let (start, end) = ("20210101000000Z", "20210601000000Z")
        let root = try factory.certificate(
            "root",
            issuer: "root",
            from: start,
            to: end,
            extensions: CertificateFactory.authority
        )
        let server = try factory.certificate(
            "server",
            issuer: "root",
            from: start,
            to: end,
            extensions: "extendedKeyUsage=serverAuth",
            key: row.key,
            hash: row.hash
        )
        let evaluation = TrustEvaluation(
            leaf: server,
            anchors: [root],
            includesSystemAnchors: false,
            purpose: .tlsServer,
            date: server.notBefore + 60
        )
        #expect(try evaluation.evaluate().failure?.reason == row.reason)
    }
}
