import Cryptography
import KeychainModel
import Secrets
import TestSupport
import Testing

@testable import KeychainEngine

@Suite struct `A lookup digest` {
    private let digests: LookupDigests

    init() throws { digests = try LookupDigests(key: CipherFixture.lookupKey.secret) }

    private func digest(
        _ attribute: Attribute,
        _ value: AttributeValue,
        in itemClass: ItemClass = .genericPassword
    ) throws -> [UInt8] {
        let spec = try #require(Schema.spec(attribute, in: itemClass))
        return try digests.digest(of: value, for: spec, in: itemClass)
    }

    @Test func `tells nothing to who lacks the key`() throws {
        let others = try LookupDigests(key: CipherFixture.key(from: 0x21).secret)
        let spec = try #require(Schema.spec(.account, in: .genericPassword))
        let mine = try digest(.account, .string("ada"))
        #expect(mine.count == 16)
        #expect(try others.digest(of: .string("ada"), for: spec, in: .genericPassword) != mine)
        #expect(
            try others.digest(ofAccessGroup: "TEAM.app")
                != digests.digest(ofAccessGroup: "TEAM.app")
        )
    }

    @Test func `is of one class and one attribute`() throws {
        let account = try digest(.account, .string("ada"))
        #expect(try digest(.service, .string("ada")) != account)
        #expect(try digest(.account, .string("ada"), in: .internetPassword) != account)
    }

    @Test(arguments: ItemClass.stored)
    func `of an access group is the same in every class`(itemClass: ItemClass) throws {
        let group = try digests.digest(ofAccessGroup: "TEAM.app")
        #expect(try digest(.accessGroup, .string("TEAM.app"), in: itemClass) == group)
    }

    @Test func `is the same for text and its bytes, not for a number and its text`() throws {
        #expect(
            try digest(.account, .string("ada"))
                == digest(.account, .data(Array("ada".utf8)))
        )
        #expect(
            try digest(.port, .number(25), in: .internetPassword)
                != digest(.port, .string("25"), in: .internetPassword)
        )
    }

    @Test func `of a primary key tells where one part ends`() throws {
        var first = CipherFixture.item
        first.attributes[.account] = .string("ab")
        first.attributes[.service] = .string("c")
        var second = CipherFixture.item
        second.attributes[.account] = .string("a")
        second.attributes[.service] = .string("bc")
        #expect(try digests.primaryKey(of: first) != digests.primaryKey(of: second))
    }

    @Test func `of a primary key takes nothing else in`() throws {
        var item = CipherFixture.item
        let key = try digests.primaryKey(of: item)
        item.attributes[.label] = .string("another")
        item.protection = .alwaysThisDeviceOnly
        item.reference = Array(repeating: 0, count: 16)
        #expect(try digests.primaryKey(of: item) == key)
        item.isSynchronizable = true
        #expect(try digests.primaryKey(of: item) != key)
    }
}

@Suite struct `The digest of a pair` {
    private let digests: LookupDigests

    init() throws { digests = try LookupDigests(key: CipherFixture.lookupKey.secret) }

    private func digest(_ name: String, _ value: String, in group: String) throws -> [[UInt8]] {
        try digests.digests(of: try LookupPairs([name: value]), inAccessGroup: group)
    }

    /// The bytes of `item.md` §10, worked out with another program.
    @Test func `is that of the specification`() throws {
        let bytes: [UInt8] = [
            0x80, 0x29, 0xA3, 0x2C, 0xCE, 0x9C, 0xB2, 0xDC,
            0xE9, 0x41, 0x04, 0x76, 0x32, 0xE5, 0x09, 0x29,
        ]
        #expect(try digest("user", "anna", in: "TEAM.app") == [bytes])
        let pairs = try LookupPairs(["é": "", "user": "anna"])
        #expect(
            pairs.encoded
                == [4, 0] + Array("user".utf8) + [4, 0] + Array("anna".utf8)
                + [2, 0, 0xC3, 0xA9, 0, 0]
        )
    }

    @Test func `tells group, name and value apart`() throws {
        let all = [
            try digest("ab", "c", in: "x"), try digest("a", "bc", in: "x"),
            try digest("ab", "c", in: "y"), try digest("b", "c", in: "xa"),
            try digest("abc", "", in: "x"), try digest("c", "ab", in: "x"),
        ]
        #expect(Set(all).count == all.count)
    }

    @Test func `is of a generic password alone`() throws {
        var item = CipherFixture.item
        #expect(try digests.digests(ofPairsOf: item) == [])
        let pairs = try LookupPairs(["user": "anna", "server": "x"])
        item.attributes[.lookupPairs] = .data(pairs.encoded)
        #expect(try digests.digests(ofPairsOf: item).count == 2)
        #expect(
            try digests.digests(ofPairsOf: item)
                == digests.digests(of: pairs, inAccessGroup: "TEAM.app")
        )
    }
}

@Suite struct `The sealed name of an access group` {
    private let digests: LookupDigests
    private let digest: [UInt8]
    private let sealed: [UInt8]

    init() throws {
        digests = try LookupDigests(key: CipherFixture.lookupKey.secret)
        digest = try digests.digest(ofAccessGroup: "TEAM.app")
        sealed = try digests.seal(name: "TEAM.app", random: SeededRandomSource(seed: 1))
    }

    @Test func `opens for its digest alone`() throws {
        #expect(digests.openName(sealed, digest: digest) == "TEAM.app")
        #expect(digests.openName(sealed, digest: Array(repeating: 0, count: 16)) == nil)
    }

    @Test func `is nothing once it is damaged`() {
        let opening = SpoiledBytes.all(of: sealed, flipping: 1).filter { changed in
            digests.openName(changed, digest: digest) != nil
        }
        #expect(opening == [])
    }
}
