import EngineTestSupport
import KeychainMessages
import KeychainModel
import ModelTestSupport
import TestSupport
import Testing

@testable import KeychainEngine

/// A keychain that the last program without keys of files left, with a generic password.
@Suite struct `A keychain of version 7` {
    private let home: TestHome

    init() throws {
        home = try TestHome()
        let tests = String(#filePath.dropLast("Files/FileKeyMigrationTests.swift".count))
        try home.fill(from: tests + "Fixtures/version-7")
    }

    private var version: Int64 {
        get throws {
            try SQLiteConnection(opening: home.home.database).number("PRAGMA user_version")
        }
    }

    @Test(.requirement("OPS-08"))
    func `keeps its items, and takes files from the first one on`() throws {
        #expect(try version == 7)
        let keychain = try home.open(["keychain"])
        #expect(try version == StoreSchema.version)
        let engine = keychain.endpoint.engine
        #expect(keychain.read(password("ada")) == .value("value of ada"))
        #expect(try engine.faults() == [])
        let program = FileProgram(engine, groups: ["keychain"])
        let file = try program.make(.complete)
        try engine.setPasscode(EngineFixture.secret("1234"), current: nil)
        #expect(try program.open(file.wrapped) == file.key)
        try engine.lock()
        #expect(program.status(.open(file.wrapped)) == .interactionNotAllowed)
        #expect(try program.make(.completeUnlessOpen).wrapped.keySet != file.wrapped.keySet)
        #expect(try engine.faults() == [])
    }
}
