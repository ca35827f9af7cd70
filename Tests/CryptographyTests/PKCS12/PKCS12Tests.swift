import Cryptography
import Secrets
import TestSupport
import Testing

@Suite struct `A PKCS#12 file` {
    static let password = Secret(copying: "correct horse".utf8)

    /// Two identities with certificates of one issuer.
    private func archive() throws -> PKCS12Archive {
        let factory = try CertificateFactory()
        let root = try factory.root("root")
        let names = ["ann", "bob"]
        let certificates = try names.map { try factory.certificate($0, issuer: "root") }
        let keys = try names.map { try factory.privateKey($0) }
        return PKCS12Archive(
            keys: zip(names, keys).enumerated().map { index, entry in
                .init(
                    privateKey: entry.1,
                    localKeyID: [UInt8(index)],
                    friendlyName: "Žofie \(entry.0)"
                )
            },
            certificates: zip(names, certificates).enumerated().map { index, entry in
                .init(
                    certificate: entry.1,
                    localKeyID: [UInt8(index)],
                    friendlyName: "Žofie \(entry.0)"
                )
            } + [.init(certificate: root)]
        )
    }

    @Test func `gives back what was put in`() throws {
        let archive = try archive()
        let der = try archive.serialized(password: Self.password)
        let copy = try PKCS12Archive(parsing: der, password: Self.password)
        #expect(copy.keys.map(\.privateKey.publicKey) == archive.keys.map(\.privateKey.publicKey))
        #expect(copy.keys.map(\.localKeyID) == archive.keys.map(\.localKeyID))
        #expect(copy.keys.map(\.friendlyName) == archive.keys.map(\.friendlyName))
        #expect(copy.certificates.map(\.certificate) == archive.certificates.map(\.certificate))
        #expect(copy.certificates.map(\.friendlyName) == archive.certificates.map(\.friendlyName))
        #expect(copy.certificates.map(\.localKeyID) == archive.certificates.map(\.localKeyID))
    }

    @Test func `pairs each key with its certificate`() throws {
        let archive = try archive()
        let der = try archive.serialized(password: Self.password)
        let identities = try PKCS12Archive(parsing: der, password: Self.password).identities
        #expect(identities.count == 2)
        #expect(
            identities.allSatisfy {
                $0.certificate.certificate.publicKey == $0.key.privateKey.publicKey
            }
        )
        let names = identities.map(\.certificate.certificate.commonName)
        #expect(names == ["ann", "bob"])
    }

    @Test func `pairs by key, number and name in this order`() throws {
        let factory = try CertificateFactory()
        _ = try factory.root("root")
        let first = try factory.certificate("ann", issuer: "root")
        let key = try factory.privateKey("ann")
        let stranger = try factory.certificate("bob", issuer: "root")
        let entries: [PKCS12Archive.CertificateEntry] = [
            .init(certificate: stranger, localKeyID: [1], friendlyName: "ann"),
            .init(certificate: first),
            .init(certificate: first, friendlyName: "ann"),
            .init(certificate: first, localKeyID: [1]),
        ]
        func partner(_ key: PKCS12Archive.KeyEntry, among count: Int) -> [UInt8]?? {
            let archive = PKCS12Archive(keys: [key], certificates: Array(entries.prefix(count)))
            return archive.identities.first.map(\.certificate.localKeyID)
        }
        let entry = PKCS12Archive.KeyEntry(
            privateKey: key,
            localKeyID: [1],
            friendlyName: "ann"
        )
        #expect(partner(entry, among: 1) == .none)
        #expect(partner(entry, among: 3) == .some(nil))
        #expect(partner(entry, among: 4) == .some([1]))
    }

    @Test(arguments: ["", "Correct horse", "correct horse ", "correct horse\0"])
    func `is not opened with another password`(wrong: String) throws {
        let der = try archive().serialized(password: Self.password)
        #expect(throws: PKCS12Error.wrongPassword) {
            _ = try PKCS12Archive(parsing: der, password: Secret(copying: wrong.utf8))
        }
    }

    @Test func `may have an empty password`() throws {
        let archive = try archive()
        let der = try archive.serialized(password: Secret(copying: []))
        let copy = try PKCS12Archive(parsing: der, password: Secret(copying: []))
        #expect(copy.identities.count == 2)
        #expect(throws: PKCS12Error.wrongPassword) {
            _ = try PKCS12Archive(parsing: der, password: Self.password)
        }
    }

    @Test func `may hold nothing`() throws {
        let der = try PKCS12Archive(keys: [], certificates: []).serialized(password: Self.password)
        let copy = try PKCS12Archive(parsing: der, password: Self.password)
        #expect(copy.keys.isEmpty)
        #expect(copy.certificates.isEmpty)
    }

    @Test(arguments: KeyPairs.kinds)
    func `holds keys of every kind`(kind: KeyKind) throws {
        let pair = try KeyPairs.pair(kind)
        let archive = PKCS12Archive(keys: [.init(privateKey: pair)], certificates: [])
        let der = try archive.serialized(password: Self.password)
        let copy = try PKCS12Archive(parsing: der, password: Self.password)
        #expect(copy.keys.map(\.privateKey.publicKey) == [pair.publicKey])
        #expect(copy.identities.isEmpty)
    }

    @Test(
        arguments: [
            ByteChange.emptied, .oneByteMore, .lastByteMissing,
            .replaced(by: [0x30], "a tag alone"), .replaced(by: [0x30, 0x00], "an empty sequence"),
            .replaced(by: [UInt8]("-----BEGIN PKCS12-----".utf8), "text"),
        ]
    )
    func `is damaged when it is cut or continued`(change: ByteChange) throws {
        let pair = try KeyPairs.pair(.ed25519)
        let archive = PKCS12Archive(keys: [.init(privateKey: pair)], certificates: [])
        let der = try archive.serialized(password: Self.password)
        #expect(throws: PKCS12Error.damaged) {
            _ = try PKCS12Archive(parsing: change(der), password: Self.password)
        }
    }
}
