import EngineTestSupport
import KeychainModel
import ModelTestSupport
import TestSupport
import Testing

@testable import KeychainEngine

/// The first place of a pattern in bytes.
func firstIndex(of pattern: [UInt8], in bytes: [UInt8]) -> Int? {
    guard let first = pattern.first, bytes.count >= pattern.count else { return nil }
    return (0...(bytes.count - pattern.count)).first { start in
        bytes[start] == first && bytes[start..<(start + pattern.count)].elementsEqual(pattern)
    }
}

@Suite struct `A deleted item` {
    private let home: TestHome

    init() throws { home = try TestHome() }

    private func rows(_ keychain: TestKeychain) throws -> [SealedRow] {
        try keychain.endpoint.engine.enter { state throws(KeychainError) in
            try state.vault.store.rows(.everything, withSecrets: true)
        }
    }

    @Test(.requirement("STO-14"))
    func `leaves neither its key nor its ciphertext in any file`() throws {
        let keychain = try home.open()
        for account in ["ada", "ben", "cyd"] { keychain.add(password(account)) }
        let row = try #require(try rows(keychain).first)
        let secret = try #require(row.item.secret)
        let wrapped = Array(secret[1..<41])
        let metadataKey = Array(row.item.metadata[17..<57])
        let traces = [wrapped, metadataKey, Array(secret[53...]), Array(row.item.metadata[69...])]
        func left() throws -> [[UInt8]] {
            let files = try home.files().values
            return traces.filter { trace in
                files.contains { firstIndex(of: trace, in: $0) != nil }
            }
        }
        #expect(try left() == traces)
        #expect(keychain.delete(password("ada")) == .success)
        #expect(try left() == [])
        #expect(keychain.accounts(password(nil)) == ["ben", "cyd"])
    }

    @Test(.requirement("STO-15"))
    func `does not come back with a copy of the database after an erase`() throws {
        let copy: [UInt8]
        do {
            let keychain = try home.open()
            #expect(keychain.add(password()) == .success)
        }
        copy = try home.read(home.home.database)
        do { try home.open().endpoint.engine.erase() }
        try home.write(copy, to: home.home.database)
        let refusal = try #require(home.refusal())
        #expect(refusal.reason.contains("do not belong together"))
        #expect(try home.read(home.home.database) == copy)
    }

    @Test func `is gone with all others after an erase`() throws {
        let keychain = try home.open()
        keychain.add(password())
        try keychain.endpoint.engine.erase()
        #expect(keychain.read(password()) == .notFound)
        #expect(keychain.add(password(), "new") == .success)
        #expect(keychain.read(password()) == .value("new"))
    }
}

@Suite struct `A copied database` {
    @Test(.requirement("ACC-01"))
    func `shows nothing on another device`() throws {
        let mine = try TestHome()
        let theirs = try TestHome()
        do {
            #expect(try mine.open().add(password()) == .success)
            #expect(try theirs.open().add(password("other")) == .success)
        }
        try theirs.write(try mine.read(mine.home.database), to: theirs.home.database)
        let refusal = try #require(theirs.refusal())
        #expect(refusal.status == .notAvailable)
        #expect(refusal.reason.contains("do not belong together"))
    }

    @Test(.requirement("ACC-01"))
    func `has another wrapped key after an item changes its class`() throws {
        let fixture = try EngineFixture.unlocked()
        let keychain = fixture.keychain
        func row() throws -> SealedItem {
            let rows = try fixture.inside { state throws(KeychainError) in
                try state.vault.store.rows(.everything, withSecrets: true)
            }
            return try #require(rows.first).item
        }
        #expect(keychain.add(password()) == .success)
        let before = try row()
        let change: AttributeDictionary = [.accessible: .string(.afterFirstUnlockThisDeviceOnly)]
        #expect(keychain.status(.update(password(), with: change)) == .success)
        let after = try row()
        #expect(before.columns.protection == .whenUnlocked)
        #expect(after.columns.protection == .afterFirstUnlockThisDeviceOnly)
        #expect(before.secret?[1..<41] != after.secret?[1..<41])
        #expect(before.metadata[17..<57] != after.metadata[17..<57])
        #expect(keychain.read(password()) == .value("open sesame"))
    }
}
