import Cryptography
import DataProtection
import EngineTestSupport
import Glibc
import KeychainHost
import KeychainModel
import TestSupport
import Testing

@testable import KeychainEngine

/// Several processes, copies of files, and changes of the passcode that are cut short.
@Suite struct `A handle beside a change of the passcode` {
    private static let first = EngineFixture.secret("1111")
    private static let second = EngineFixture.secret("2222")
    private let home: TestHome

    init() throws { home = try TestHome() }

    private func program(_ keychain: TestKeychain) -> HandleProgram {
        HandleProgram(keychain.endpoint.engine, groups: TestHome.groups)
    }

    @Test func `that another process makes works on, and so do those made after it`() throws {
        let here = try home.open()
        let there = try home.open()
        let early = try program(here).make()
        #expect(program(there).status(early) == .success)
        try there.endpoint.engine.setPasscode(Self.first, current: nil)
        #expect(program(here).status(early) == .success)
        let late = try program(here).make()
        try there.endpoint.engine.setPasscode(Self.second, current: Self.first)
        let last = try program(there).make()
        let statuses = try [here, there, home.open()].flatMap { keychain in
            [early, late, last].map(program(keychain).status)
        }
        #expect(statuses == statuses.map { _ in .success })
        #expect(try here.endpoint.engine.faults() == [])
    }

    /// Copies of all files, and the passcode of then, are what somebody may have kept.
    @Test func `made after it does not open with a copy from before, and an earlier one does`()
        throws
    {
        let early: ElementKeyHandle
        let late: ElementKeyHandle
        var kept: [String: [UInt8]] = [:]
        do {
            let keychain = try home.open()
            try keychain.endpoint.engine.setPasscode(Self.first, current: nil)
            early = try program(keychain).make()
        }
        kept = try home.files()
        do {
            let keychain = try home.open()
            try keychain.endpoint.engine.setPasscode(Self.second, current: Self.first)
            late = try program(keychain).make()
            #expect([early, late].map(program(keychain).status) == [.success, .success])
        }
        try home.write(try #require(kept[home.home.keybag]), to: home.home.keybag)
        try home.write(try #require(kept[home.home.database]), to: home.home.database)
        let copy = try home.open()
        try copy.endpoint.engine.unlock(passcode: Self.first)
        #expect([early, late].map(program(copy).status) == [.success, .decode])
    }

    /// The keybag and the passcode of then, and the handle, are not enough any more: the handle key
    /// is in the database, under the class keys of now.
    @Test func `does not open with the keybag from before and the database of now`() throws {
        let keychain = try home.open()
        try keychain.endpoint.engine.setPasscode(Self.first, current: nil)
        _ = try program(keychain).make()
        let old = try home.read(home.home.keybag)
        try keychain.endpoint.engine.setPasscode(Self.second, current: Self.first)
        let rows = try keychain.endpoint.engine.enter { state throws(KeychainError) in
            try state.vault.store.handleKeys()
        }
        let row = try #require(rows.first)
        let storage = try DirectoryStorage(path: home.directory)
        let element = SoftwareSecureElement(storage: storage, random: SystemRandomSource())
        var keybag = try Keybag(decoding: old, path: "keybag", element: element)
        _ = try keybag.unlock(passcode: Self.first.secret)
        #expect(throws: DeviceError.cryptography(.authenticationFailed)) {
            try keybag.withClassKey(row.protection) { key throws(CryptographyError) in
                _ = try HandleKey(opening: row, under: key)
            }
        }
    }

    /// As if the process had died between the transaction and the keybag's new name.
    @Test(.requirement("KEY-23", "LCK-07"))
    func `that was cut short after its transaction works on`() throws {
        let handle: ElementKeyHandle
        let before: [UInt8]
        do {
            let keychain = try home.open()
            handle = try program(keychain).make()
            before = try home.read(home.home.keybag)
            try keychain.endpoint.engine.setPasscode(Self.first, current: nil)
        }
        let next = home.directory + "/keybag.next"
        try require(FileFacts.make(next), next)
        try home.write(try home.read(home.home.keybag), to: next)
        try home.write(before, to: home.home.keybag)
        let opened = try home.open()
        #expect(program(opened).checked(handle) == .success)
        #expect(program(opened).status(handle) == .interactionNotAllowed)
        try opened.endpoint.engine.unlock(passcode: Self.first)
        #expect(program(opened).status(handle) == .success)
        #expect(try opened.endpoint.engine.faults() == [])
    }

    @Test(.requirement("KEY-23", "LCK-07"))
    func `that was cut short before its transaction works on`() throws {
        let handle: ElementKeyHandle
        do { handle = try program(home.open()).make() }
        let next = home.directory + "/keybag.next"
        try require(FileFacts.make(next), next)
        try home.write(try home.read(home.home.keybag), to: next)
        let opened = try home.open()
        #expect(program(opened).status(handle) == .success)
        #expect(access(next, F_OK) != 0)
    }

    /// As if the process had died when the keybag without a passcode was durable.
    @Test(.requirement("KEY-20"))
    func `whose removal was cut short ends, and its handle key goes with the next opening`() throws
    {
        let handle: ElementKeyHandle
        do {
            let keychain = try home.open()
            try keychain.endpoint.engine.setPasscode(Self.first, current: nil)
            handle = try program(keychain).make(.whenPasscodeSetThisDeviceOnly)
        }
        let database = try home.read(home.home.database)
        do { try home.open().endpoint.engine.removePasscode(current: Self.first) }
        try home.write(database, to: home.home.database)
        let opened = try home.open()
        #expect(program(opened).status(handle) == .authFailed)
        let connection = try SQLiteConnection(opening: home.home.database)
        #expect(try connection.number("SELECT COUNT(*) FROM handle_keys") == 0)
        #expect(try opened.endpoint.engine.faults() == [])
    }
}
