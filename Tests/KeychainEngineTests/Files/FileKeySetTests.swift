import EngineTestSupport
import KeychainMessages
import KeychainModel
import Secrets
import TestSupport
import Testing

@testable import KeychainEngine

/// A way to damage the key of a class in the one set that there is, or to replace it.
private struct Damage: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let sql: String

    init(_ column: String, _ value: String) {
        testDescription = column
        sql = "UPDATE file_keys SET \(column) = \(value) WHERE class = 2"
    }

    /// Of RFC 7748, somebody else's.
    private static let publicKey =
        "x'de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f'"

    static let all = [
        Damage("wrapped", "zeroblob(40)"), Damage("wrapped", "x''"),
        Damage("public", publicKey), Damage("public", "x''"), Damage("code", "zeroblob(32)"),
        Damage("code", "x''"), Damage("number", "9"),
        Damage("wrapped", "(SELECT wrapped FROM file_keys WHERE class = 1)"),
    ]
}

@Suite struct `A set of file keys` {
    private static let second = EngineFixture.secret("2222")

    private func unlocked() throws -> (fixture: EngineFixture, program: FileProgram) {
        let fixture = try EngineFixture.unlocked()
        return (fixture, FileProgram(fixture.engine))
    }

    private func makeAll(
        _ program: FileProgram
    ) throws -> [(wrapped: WrappedFileKey, key: [UInt8])] {
        try FileClass.allCases.map { try program.make($0) }
    }

    @Test(arguments: [EngineFixture.passcode, nil])
    func `stays when the passcode is set or changed, and new files get another`(
        former: String?
    ) throws {
        let fixture = try EngineFixture(passcode: former)
        let program = FileProgram(fixture.engine)
        if former != nil { try fixture.unlock() }
        let before = try makeAll(program)
        try fixture.engine.setPasscode(Self.second, current: former.map(EngineFixture.secret))
        let after = try makeAll(program)
        let all = before + after
        #expect(try all.map { try program.open($0.wrapped) } == all.map(\.key))
        #expect(Set(before.map(\.wrapped.keySet)).isDisjoint(with: after.map(\.wrapped.keySet)))
        try fixture.engine.lock()
        let closed = all.map { program.status(.open($0.wrapped)) }
        let expected: [SecurityStatus] = [
            .interactionNotAllowed, .interactionNotAllowed, .success, .success,
        ]
        #expect(closed == expected + expected)
        try fixture.unlock("2222")
        #expect(try fixture.faults() == [])
        let moved = try program.move(before[0].wrapped, to: .complete)
        #expect(moved.keySet == after[0].wrapped.keySet)
        #expect(try program.open(moved) == before[0].key)
    }

    @Test func `stays when the passcode is removed, and opens without one`() throws {
        let (fixture, program) = try unlocked()
        let files = try makeAll(program)
        let passcode = EngineFixture.secret(EngineFixture.passcode)
        try fixture.engine.removePasscode(current: passcode)
        try fixture.engine.reboot()
        #expect(try files.map { try program.open($0.wrapped) } == files.map(\.key))
        #expect(try program.make(.complete).wrapped.keySet == files[0].wrapped.keySet)
        #expect(try fixture.faults() == [])
    }

    @Test func `is made by the first passcode, also when no file is there`() throws {
        let fixture = try EngineFixture(passcode: nil)
        try fixture.engine.setPasscode(Self.second, current: nil)
        try fixture.engine.reboot()
        _ = try FileProgram(fixture.engine).make(.completeUnlessOpen)
    }

    @Test func `is not made beyond the limit, and the newest serves on`() throws {
        let (fixture, program) = try unlocked()
        let file = try program.make(.complete)
        try fixture.inside { state throws(KeychainError) in
            let wrapped = Array(repeating: 0 as UInt8, count: 40)
            try state.vault.addForeignSets(ItemVault.fileKeySetLimit - 1, wrapped)
            let count = try state.vault.store.fileKeySetCount()
            try state.vault.addFileKeySet(state.session) { _, _ throws(KeychainError) in wrapped }
            let countAfter = try state.vault.store.fileKeySetCount()
            #expect(count == ItemVault.fileKeySetLimit)
            #expect(countAfter == count)
        }
        #expect(try program.open(file.wrapped) == file.key)
        #expect(try program.make(.complete).wrapped.keySet == file.wrapped.keySet)
    }

    @Test(.requirement("FDP-06"))
    func `goes with a factory reset`() throws {
        let (fixture, program) = try unlocked()
        let files = try makeAll(program)
        try fixture.engine.erase()
        #expect(files.map { program.status(.open($0.wrapped)) } == files.map { _ in .decode })
        let rows = try fixture.inside { state throws(KeychainError) in
            try state.vault.store.fileKeys().count
        }
        #expect(rows == 0)
        _ = try makeAll(program)
    }

    @Test(arguments: Damage.all)
    fileprivate func `refuses the class of a damaged row, and loses no other`(
        damage: Damage
    ) throws {
        let (fixture, program) = try unlocked()
        let files = try makeAll(program)
        try fixture.execute([damage.sql])
        let statuses = files.map { program.status(.open($0.wrapped)) }
        #expect(statuses == [.success, .decode, .success, .success])
        // Above all, nothing is wrapped for somebody else's public key.
        let file = try #require(FileProgram.file)
        #expect(program.status(.make(.completeUnlessOpen, file: file, group: nil)) == .decode)
        #expect(try fixture.faults().count == 1)
        try fixture.engine.lock()
        #expect(try fixture.faults().count == 1)
        let passcode = EngineFixture.secret(EngineFixture.passcode)
        try fixture.engine.setPasscode(Self.second, current: passcode)
        let after = files.map { program.status(.open($0.wrapped)) }
        #expect(after == [.success, .decode, .success, .success])
        let new = try program.make(.completeUnlessOpen)
        #expect(try program.open(new.wrapped) == new.key)
    }

    @Test func `without one of its rows is told by a check`() throws {
        let (fixture, program) = try unlocked()
        _ = try makeAll(program)
        try fixture.execute(["DELETE FROM file_keys WHERE class = 3"])
        #expect(try fixture.faults() == [.database("1 sets of file keys lack a class")])
    }
}

@Suite struct `A file that is made after a change of passcode` {
    private let home: TestHome

    init() throws { home = try TestHome() }

    /// Copies of keybag and database, and the passcode of then, are what somebody may have kept.
    @Test func `does not open with the keys of before, and earlier ones open there`() throws {
        let first = EngineFixture.secret("1111")
        do {
            let engine = try home.open().endpoint.engine
            try engine.setPasscode(first, current: nil)
        }
        let kept = try home.files()
        let early: WrappedFileKey
        let late: WrappedFileKey
        do {
            let engine = try home.open().endpoint.engine
            early = try FileProgram(engine).make(.complete).wrapped
            try engine.setPasscode(EngineFixture.secret("2222"), current: first)
            late = try FileProgram(engine).make(.complete).wrapped
        }
        try home.write(try #require(kept[home.home.keybag]), to: home.home.keybag)
        try home.write(try #require(kept[home.home.database]), to: home.home.database)
        let engine = try home.open().endpoint.engine
        try engine.unlock(passcode: first)
        let program = FileProgram(engine)
        #expect(program.status(.open(early)) == .success)
        #expect(program.status(.open(late)) == .decode)
    }

    @Test func `opens for a process that was open before`() throws {
        let first = try home.open().endpoint.engine
        let second = try home.open().endpoint.engine
        let early = try FileProgram(first).make(.complete)
        #expect(try FileProgram(second).open(early.wrapped) == early.key)
        try first.setPasscode(EngineFixture.secret("2222"), current: nil)
        let late = try FileProgram(first).make(.complete)
        let keys = try [early, late].map { try FileProgram(second).open($0.wrapped) }
        #expect(keys == [early.key, late.key])
    }
}
