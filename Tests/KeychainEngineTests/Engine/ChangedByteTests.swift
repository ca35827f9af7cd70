import EngineTestSupport
import KeychainModel
import TestSupport
import Testing

@testable import KeychainEngine

@Suite struct `An item with one byte of its row changed` {
    private let fixture: EngineFixture
    private let keychain: TestKeychain

    init() throws {
        fixture = try .withThreeAccounts()
        keychain = fixture.keychain
    }

    private func row() throws -> SealedRow {
        var filter = RowFilter(itemClass: .genericPassword)
        filter.row = 2
        let rows = try fixture.inside { rooms throws(KeychainError) in
            try rooms.vault.store.rows(filter, withSecrets: true)
        }
        return try #require(rows.first)
    }

    private func write(_ row: SealedRow) throws {
        try fixture.inside { rooms throws(KeychainError) in
            _ = try rooms.vault.store.replace(row)
        }
    }

    private func expectOthers(_ place: Int) {
        #expect(keychain.read(password("before")) == .value("value of before"), "byte \(place)")
        #expect(keychain.read(password("after")) == .value("value of after"), "byte \(place)")
    }

    @Test(.requirement("STO-02", "STO-11"))
    func `is absent, whichever byte of its value it is, and the others stay`() throws {
        let good = try row()
        let secret = try #require(good.item.secret)
        for place in secret.indices {
            var bad = good
            bad.item.secret?[place] ^= UInt8(1) << (place % 8)
            try write(bad)
            #expect(keychain.read(password("ada")) == .notFound, "byte \(place)")
            expectOthers(place)
        }
        try write(good)
        #expect(keychain.read(password("ada")) == .value("value of ada"))
    }

    @Test(.requirement("STO-11"))
    func `is absent, whichever byte of its attributes it is, and the others stay`() throws {
        let good = try row()
        for place in good.item.metadata.indices {
            var bad = good
            bad.item.metadata[place] ^= UInt8(1) << (place % 8)
            try write(bad)
            #expect(keychain.read(password("ada")) == .notFound, "byte \(place)")
            expectOthers(place)
        }
        try write(good)
        #expect(keychain.read(password("ada")) == .value("value of ada"))
    }

    @Test func `is absent, at whatever length its halves are cut`() throws {
        let good = try row()
        let secret = try #require(good.item.secret)
        for count in 0..<max(secret.count, good.item.metadata.count) {
            var bad = good
            bad.item.secret = Array(secret.prefix(count))
            bad.item.metadata = Array(good.item.metadata.prefix(count))
            try write(bad)
            #expect(keychain.read(password("ada")) == .notFound, "\(count) bytes")
            expectOthers(count)
        }
    }
}
