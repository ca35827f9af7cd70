import EngineTestSupport
import Glibc
import KeychainModel
import ModelTestSupport
import TestSupport
import Testing

@testable import KeychainEngine

/// A keychain that the last program without pairs left, with two generic passwords.
@Suite struct `A keychain of version 6` {
    private let home: TestHome

    init() throws {
        home = try TestHome()
        let tests = String(#filePath.dropLast("Store/LookupPairMigrationTests.swift".count))
        try home.fill(from: tests + "Fixtures/version-6")
    }

    private var version: Int64 {
        get throws {
            try SQLiteConnection(opening: home.home.database).number("PRAGMA user_version")
        }
    }

    @Test(.requirement("OPS-08"))
    func `keeps its items, which have no pairs, and takes some`() throws {
        #expect(try version == 6)
        let keychain = try home.open(["keychain"])
        #expect(try version == StoreSchema.version)
        let engine = keychain.endpoint.engine
        #expect(try engine.faults() == [])
        #expect(keychain.read(password("ada")) == .value("value of ada"))
        #expect(keychain.attributes(password(nil)).map(\.pairs) == [nil, nil])
        #expect(keychain.accounts(try paired(nil, [:])) == ["ada", "grace"])
        #expect(keychain.accounts(try paired(nil, ["user": "ada"])) == [])
        let changes: AttributeDictionary = [
            Attribute.lookupPairs.rawValue: .data(try LookupPairs(["user": "ada"]).encoded)
        ]
        #expect(keychain.status(.update(password("ada"), with: changes)) == .success)
        #expect(keychain.accounts(try paired(nil, ["user": "ada"])) == ["ada"])
        #expect(try home.open(["keychain"]).read(password("ada")) == .value("value of ada"))
        #expect(try engine.faults() == [])
    }
}
