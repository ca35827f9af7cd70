import Cryptography
import KeychainModel
import Secrets
import TestSupport
import Testing

@testable import KeychainEngine

@Suite struct `The item's test vector` {
    private let vector: ItemVector

    init() throws { vector = try ItemVector() }

    @Test(arguments: [
        ("lookup key", CipherFixture.lookupKey),
        ("metadata key", CipherFixture.metadataKey.secret),
        ("class key", CipherFixture.classKey.secret),
    ])
    func `has the fixture's keys`(name: String, key: SharedSecret) throws {
        #expect(try key.secret.constantTimeEquals(Secret(copying: vector(name))))
    }

    @Test func `has the entries that the attributes become`() throws {
        #expect(try ItemFormat.encode(CipherFixture.item) == vector("entries"))
    }

    @Test func `has the digests that the attributes become`() throws {
        let columns = CipherFixture.columns
        #expect(try columns.primaryKey == vector("pkey"))
        #expect(try columns.reference == vector("pref"))
        let attributes = Schema.digestColumns(of: .genericPassword)
        let expected = try zip(attributes, columns.digests).map { attribute, digest in
            digest == nil ? nil : try vector("d_" + attribute.rawValue)
        }
        #expect(Array(columns.digests) == expected)
    }

    @Test func `has the halves that are sealed with seed 1`() throws {
        let sealed = try CipherFixture.sealed()
        #expect(try sealed.metadata == vector("metadata"))
        #expect(try sealed.secret == vector("secret"))
    }

    @Test(arguments: [nil, 1])
    func `opens, also in its earlier version`(version: Int?) throws {
        let row = try ItemVector(version: version).sealed()
        #expect(try CipherFixture.opensMetadata(row))
        #expect(try CipherFixture.openSecret(row) == CipherFixture.secret)
    }
}
