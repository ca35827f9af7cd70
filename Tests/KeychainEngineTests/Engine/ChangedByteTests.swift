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
        let rows = try fixture.inside { state throws(KeychainError) in
            try state.vault.store.rows(filter, withSecrets: true)
        }
        return try #require(rows.first)
    }

    private func write(_ row: SealedRow) throws {
        try fixture.inside { state throws(KeychainError) in
            _ = try state.vault.store.replace(row)
        }
    }

    /// Whether the row is absent once it is written, and both others are there.
    private func isAbsent(_ bad: SealedRow) throws -> Bool {
        try write(bad)
        return keychain.read(password("ada")) == .notFound
            && keychain.read(password("before")) == .value("value of before")
            && keychain.read(password("after")) == .value("value of after")
    }

    @Test(.requirement("STO-02", "STO-11"))
    func `is absent, whichever byte of its value it is, and the others stay`() throws {
        let good = try row()
        let secret = try #require(good.item.secret)
        let wrong = try secret.indices.filter { place in
            var bad = good
            bad.item.secret?[place] ^= UInt8(1) << (place % 8)
            return try !isAbsent(bad)
        }
        #expect(wrong == [])
        try write(good)
        #expect(keychain.read(password("ada")) == .value("value of ada"))
    }

    @Test(.requirement("STO-11"))
    func `is absent, whichever byte of its attributes it is, and the others stay`() throws {
        let good = try row()
        let wrong = try good.item.metadata.indices.filter { place in
            var bad = good
            bad.item.metadata[place] ^= UInt8(1) << (place % 8)
            return try !isAbsent(bad)
        }
        #expect(wrong == [])
        try write(good)
        #expect(keychain.read(password("ada")) == .value("value of ada"))
    }

    @Test func `is absent, at whatever length its halves are cut`() throws {
        let good = try row()
        let secret = try #require(good.item.secret)
        let wrong = try (0..<max(secret.count, good.item.metadata.count)).filter { count in
            var bad = good
            bad.item.secret = Array(secret.prefix(count))
            bad.item.metadata = Array(good.item.metadata.prefix(count))
            return try !isAbsent(bad)
        }
        #expect(wrong == [])
    }
}
