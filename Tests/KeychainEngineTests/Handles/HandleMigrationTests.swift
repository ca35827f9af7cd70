import EngineTestSupport
import Glibc
import KeychainHost
import KeychainMessages
import KeychainModel
import TestSupport
import Testing

@testable import KeychainEngine

@Suite struct `A handle that an earlier program made` {
    private static let classes = ProtectionClass.allCases
    private static let second = EngineFixture.secret("2222")

    @Test func `works until the passcode changes, and for ever in the Always classes`() throws {
        let fixture = try EngineFixture.unlocked()
        let program = HandleProgram(fixture.engine)
        let handles = try Self.classes.map { try fixture.earlierHandle($0) }
        #expect(handles.map(\.encoded).allSatisfy { $0.count == 269 && $0[0] == 1 })
        #expect(handles.map(program.status) == handles.map { _ in .success })
        #expect(handles.map(program.checked) == handles.map { _ in .success })
        try fixture.engine.lock()
        #expect(handles.map(program.checked) == handles.map { _ in .success })
        try fixture.unlock()
        let passcode = EngineFixture.secret(EngineFixture.passcode)
        try fixture.engine.setPasscode(Self.second, current: passcode)
        let expected = Self.classes.map { protection -> SecurityStatus in
            protection.availability == .always ? .success : .decode
        }
        #expect(handles.map(program.status) == expected)
        #expect(handles.map(program.checked) == expected)
    }

    @Test func `stays when the passcode is removed, unless its class needs one`() throws {
        let fixture = try EngineFixture.unlocked()
        let program = HandleProgram(fixture.engine)
        let handles = try Self.classes.map { try fixture.earlierHandle($0) }
        try fixture.engine.removePasscode(current: EngineFixture.secret(EngineFixture.passcode))
        let expected = Self.classes.map { protection -> SecurityStatus in
            protection.requiresPasscode ? .authFailed : .success
        }
        #expect(handles.map(program.status) == expected)
    }

    @Test func `does not open on another device`() throws {
        let fixture = try EngineFixture.unlocked()
        let elsewhere = HandleProgram(try EngineFixture.unlocked().engine)
        let handle = try fixture.earlierHandle(.whenUnlocked)
        #expect(elsewhere.status(handle) == .decode)
        #expect(elsewhere.checked(handle) == .decode)
    }
}

extension `A keychain of an earlier version` {
    /// One that the last program without handle keys left, with two keys of the secure element, of
    /// which one needs the passcode.
    ///
    /// It waits its turn with the other copies of that keychain.
    @Suite struct `with keys of the secure element` {
        private static let first = EngineFixture.secret("1234")
        private let home: TestHome

        init() throws {
            home = try TestHome()
            let tests = String(#filePath.dropLast("Handles/HandleMigrationTests.swift".count))
            try home.fill(from: tests + "Fixtures/version-9")
        }

        private var version: Int64 {
            get throws {
                try SQLiteConnection(opening: home.home.database).number("PRAGMA user_version")
            }
        }

        private func program(_ engine: Engine, _ passcode: String) -> HandleProgram {
            let prompter = OwnerPrompter(passcode: { EngineFixture.secret(passcode) })
            return HandleProgram(engine, groups: ["keychain"], asking: prompter)
        }

        @Test(.requirement("OPS-08", "KEY-23"))
        func `keeps its keys of the secure element, which get handles that stay`() throws {
            #expect(try version == 9)
            let engine = try home.open(["keychain"]).endpoint.engine
            #expect(try version == StoreSchema.version)
            try engine.unlock(passcode: Self.first)
            let before = try program(engine, "1234").stored()
            #expect(before.map(\.keySet) == [nil, nil])
            #expect(
                before.map { $0.accessControl?.constraint == nil }.sorted { $0 && !$1 } == [
                    true, false,
                ]
            )
            #expect(before.map(program(engine, "1234").status) == [.success, .success])
            try engine.setPasscode(EngineFixture.secret("2222"), current: Self.first)
            let after = try program(engine, "2222").stored()
            #expect(after.map(\.publicPoint) == before.map(\.publicPoint))
            #expect(after.map(program(engine, "2222").status) == [.success, .success])
            #expect(before.map(program(engine, "2222").status) == [.decode, .decode])
            try engine.setPasscode(Self.first, current: EngineFixture.secret("2222"))
            #expect(try program(engine, "1234").stored() == after)
            #expect(after.map(program(engine, "1234").status) == [.success, .success])
            #expect(try engine.faults() == [])
        }

        /// The key set that ends has a row for the handles already, which somebody damaged.
        @Test func `keeps its keys also where no handle key can be had`() throws {
            let engine = try home.open(["keychain"]).endpoint.engine
            try engine.unlock(passcode: Self.first)
            _ = try program(engine, "1234").make(.whenUnlocked)
            let connection = try SQLiteConnection(opening: home.home.database)
            try connection.execute("UPDATE handle_keys SET sealed = zeroblob(108)")
            try engine.setPasscode(EngineFixture.secret("2222"), current: Self.first)
            let after = try program(engine, "2222").stored()
            #expect(after.map(\.keySet) == [nil, nil])
            #expect(after.map(program(engine, "2222").status) == [.success, .success])
        }
    }
}
