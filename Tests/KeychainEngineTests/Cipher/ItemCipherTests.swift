import Cryptography
import DataProtection
import KeychainModel
import Secrets
import TestSupport
import Testing

@testable import KeychainEngine

/// A row that was edited in one column.
private struct Edit: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Whether the column is one of those that name the row to its value.
    let isName: Bool
    let apply: @Sendable (inout ItemColumns) -> Void

    init(
        _ name: String,
        isName: Bool = false,
        _ apply: @escaping @Sendable (inout ItemColumns) -> Void
    ) {
        testDescription = name
        self.isName = isName
        self.apply = apply
    }
}

private let edits: [Edit] = [
    Edit("primary key", isName: true) { $0.primaryKey[0] ^= 1 },
    Edit("primary key cut", isName: true) { $0.primaryKey.removeLast() },
    Edit("protection class", isName: true) { $0.protection = .afterFirstUnlock },
    Edit("synchronizable") { $0.isSynchronizable.toggle() },
    Edit("tombstone") { $0.isTombstone.toggle() },
    Edit("persistent reference") { $0.reference[15] ^= 0x80 },
    Edit("first digest") { $0.digests[0] = nil },
    Edit("last digest") { $0.digests[$0.digests.count - 1] = Array(repeating: 0, count: 16) },
    Edit("two digests for one another") { $0.digests.swapAt(0, 1) },
]

@Suite struct `A sealed item` {
    @Test(.requirement("STO-02"))
    func `opens to what was sealed`() throws {
        let sealed = try CipherFixture.sealed()
        #expect(try CipherFixture.opensMetadata(sealed))
        #expect(try CipherFixture.openSecret(sealed) == CipherFixture.secret)
    }

    @Test(.requirement("STO-02"))
    func `does not open when a byte of its value differs`() throws {
        let sealed = try CipherFixture.sealed()
        let bytes = try #require(sealed.secret)
        let opening = try bytes.indices.filter { index in
            var changed = sealed
            changed.secret?[index] ^= 0x01
            return try CipherFixture.openSecret(changed) != nil
        }
        #expect(opening == [])
    }

    @Test(.requirement("SAC-37"))
    func `opens with its gate's key and with no other`() throws {
        let cipher = CipherFixture.cipher
        let gate = Gate(bytes: [1, 2, 3], key: CipherFixture.key(from: 0x80))
        var sealed = try CipherFixture.sealed()
        sealed.secret = try cipher.sealSecret(
            Secret(copying: [7]),
            columns: sealed.columns,
            binding: try #require(cipher.binding(of: sealed)),
            gate: gate,
            under: CipherFixture.classKey
        )
        let opened = try cipher.openSecret(
            of: sealed,
            gate: gate.key,
            under: CipherFixture.classKey
        )
        #expect(opened.copyBytesUnprotected() == [7])
        #expect(throws: CipherError.damaged) {
            _ = try cipher.openSecret(
                of: sealed,
                gate: CipherFixture.key(from: 0x90),
                under: CipherFixture.classKey
            )
        }
        #expect(throws: CipherError.damaged) {
            _ = try cipher.openSecret(of: sealed, under: CipherFixture.classKey)
        }
    }

    @Test func `does not open when a byte of its attributes differs`() throws {
        let sealed = try CipherFixture.sealed()
        let opening = try sealed.metadata.indices.filter { index in
            var changed = sealed
            changed.metadata[index] ^= 0x80
            return try CipherFixture.opensMetadata(changed)
        }
        #expect(opening == [])
    }

    @Test func `does not open when it is cut`() throws {
        let sealed = try CipherFixture.sealed()
        let metadata = try SpoiledBytes.cut(sealed.metadata).filter { part in
            var changed = sealed
            changed.metadata = part
            return try CipherFixture.opensMetadata(changed)
        }
        #expect(metadata == [])
        let secrets = try SpoiledBytes.cut(try #require(sealed.secret)).filter { part in
            var changed = sealed
            changed.secret = part
            return try CipherFixture.openSecret(changed) != nil
        }
        #expect(secrets == [])
    }

    @Test(arguments: edits)
    fileprivate func `does not open when a column was edited`(edit: Edit) throws {
        var changed = try CipherFixture.sealed()
        edit.apply(&changed.columns)
        #expect(try !CipherFixture.opensMetadata(changed))
        let value = edit.isName ? nil : CipherFixture.secret
        #expect(try CipherFixture.openSecret(changed) == value)
    }

    @Test(arguments: edits)
    fileprivate func `of the earlier version does not open when a column was edited`(
        edit: Edit
    ) throws {
        var changed = try ItemVector(version: 1).sealed()
        #expect(try CipherFixture.openSecret(changed) == CipherFixture.secret)
        edit.apply(&changed.columns)
        #expect(try !CipherFixture.opensMetadata(changed))
        #expect(try CipherFixture.openSecret(changed) == nil)
    }

    @Test func `does not open with a half of the earlier version`() throws {
        let earlier = try ItemVector(version: 1).sealed()
        var mixed = try CipherFixture.sealed()
        #expect(mixed.binding == earlier.binding)
        mixed.metadata = earlier.metadata
        #expect(try CipherFixture.opensMetadata(mixed))
        #expect(try CipherFixture.openSecret(mixed) == nil)
    }

    @Test func `does not open with the half of an earlier version`() throws {
        let first = try CipherFixture.sealed(seed: 1)
        let second = try CipherFixture.sealed(seed: 2)
        #expect(first.columns == second.columns)
        let replayed = SealedItem(
            columns: second.columns,
            metadata: second.metadata,
            secret: first.secret
        )
        #expect(try CipherFixture.openSecret(replayed) == nil)
    }

    @Test func `does not open with the half of another item`() throws {
        var item = CipherFixture.item
        item.attributes[.account] = .string("ben")
        let first = try CipherFixture.sealed()
        let second = try CipherFixture.sealed(item, seed: 2)
        let mixed = SealedItem(
            columns: first.columns,
            metadata: second.metadata,
            secret: second.secret
        )
        #expect(try !CipherFixture.opensMetadata(mixed))
        #expect(try CipherFixture.openSecret(mixed) == nil)
    }

    @Test func `does not open as the other half`() throws {
        let sealed = try CipherFixture.sealed()
        let swapped = SealedItem(
            columns: sealed.columns,
            metadata: try #require(sealed.secret),
            secret: sealed.metadata
        )
        #expect(try !CipherFixture.opensMetadata(swapped))
        #expect(try CipherFixture.openSecret(swapped) == nil)
    }

    @Test(.requirement("STO-03"))
    func `has a key of its own, wrapped under another key than its attributes`() throws {
        let first = try CipherFixture.sealed(seed: 1)
        let second = try CipherFixture.sealed(seed: 2)
        let firstValue = try #require(first.secret)
        let secondValue = try #require(second.secret)
        #expect(firstValue[13..<45] != secondValue[13..<45])
        // The one's wrapped key, in front of the other's value.
        var mixed = first
        mixed.secret = Array(firstValue.prefix(61) + secondValue.dropFirst(61))
        #expect(try CipherFixture.openSecret(mixed) == nil)
        #expect(throws: CipherError.damaged) {
            _ = try CipherFixture.cipher.openSecret(of: first, under: CipherFixture.metadataKey)
        }
    }
}
