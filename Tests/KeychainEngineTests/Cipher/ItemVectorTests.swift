import Cryptography
import Foundation
import KeychainModel
import Secrets
import TestSupport
import Testing

@testable import KeychainEngine

/// `Vectors/item.txt`: `name: hexadecimal`, one to a line; `#` begins a comment.
private struct ItemVector {
    private let values: [String: [UInt8]]

    init() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = folder.appending(path: "Vectors/item.txt")
        var values: [String: [UInt8]] = [:]
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            let parts = line.split(separator: ":")
            guard !line.hasPrefix("#"), parts.count == 2 else { continue }
            values[String(parts[0])] = bytes(String(parts[1]))
        }
        self.values = values
    }

    func callAsFunction(_ name: String) throws -> [UInt8] {
        try #require(values[name], "no \(name) in the vector")
    }
}

@Suite struct `The item's test vector` {
    private let vector: ItemVector

    init() throws { vector = try ItemVector() }

    @Test func `has the fixture's keys`() throws {
        let keys = [
            ("lookup key", CipherFixture.lookupKey),
            ("metadata key", CipherFixture.metadataKey.secret),
            ("class key", CipherFixture.classKey.secret),
        ]
        for (name, key) in keys {
            #expect(try key.secret.constantTimeEquals(Secret(copying: vector(name))), "\(name)")
        }
    }

    @Test func `has the entries that the attributes become`() throws {
        #expect(try ItemFormat.encode(CipherFixture.item) == vector("entries"))
    }

    @Test func `has the digests that the attributes become`() throws {
        let columns = CipherFixture.columns
        #expect(try columns.primaryKey == vector("pkey"))
        #expect(try columns.reference == vector("pref"))
        for (attribute, digest) in zip(
            Schema.digestColumns(of: .genericPassword),
            columns.digests
        ) {
            let expected = digest == nil ? [] : try vector("d_" + attribute.rawValue)
            #expect(digest ?? [] == expected, "\(attribute.rawValue)")
        }
    }

    @Test func `has the halves that are sealed with seed 1`() throws {
        let sealed = try CipherFixture.sealed()
        #expect(try sealed.metadata == vector("metadata"))
        #expect(try sealed.secret == vector("secret"))
    }

    @Test func `opens`() throws {
        let row = SealedItem(
            columns: CipherFixture.columns,
            metadata: try vector("metadata"),
            secret: try vector("secret")
        )
        #expect(try CipherFixture.opensMetadata(row))
        #expect(try CipherFixture.openSecret(row) == CipherFixture.secret)
    }
}
