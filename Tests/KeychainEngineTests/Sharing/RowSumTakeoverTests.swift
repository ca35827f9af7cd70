import Cryptography
import DataProtection
import EngineTestSupport
import KeychainHost
import KeychainModel
import Synchronization
import TestSupport
import Testing

@testable import DataProtection
@testable import KeychainEngine

/// A storage whose keybag cannot be replaced while it is told so: as if the process died before.
private final class StoppableStorage: DeviceStorage {
    private let base = MemoryStorage()
    let isStopped = Mutex(false)

    func read(_ file: DeviceFile) throws(StorageError) -> [UInt8]? { base.read(file) }

    func replace(_ file: DeviceFile, with bytes: [UInt8]) throws(StorageError) {
        if isStopped.withLock({ $0 }) {
            throw .system(operation: "test", path: path(of: file), code: 5)
        }
        base.replace(file, with: bytes)
    }

    func read(
        _ file: DeviceFile,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(StorageError) -> Int {
        base.read(file, into: buffer)
    }

    func overwrite(_ file: DeviceFile, with bytes: UnsafeRawBufferPointer) throws(StorageError) {
        base.overwrite(file, with: bytes)
    }

    func rename(_ file: DeviceFile, to target: DeviceFile) throws(StorageError) {
        base.rename(file, to: target)
    }

    func reopen() { base.reopen() }

    func remove(_ file: DeviceFile) throws(StorageError) { base.remove(file) }

    func discardReplacements() throws(StorageError) { base.discardReplacements() }

    func takeAttemptTurn() throws(StorageError) -> (any AttemptTurn)? {
        base.takeAttemptTurn()
    }

    func stamp(of file: DeviceFile) throws(StorageError) -> StorageStamp? {
        base.stamp(of: file)
    }

    func withExclusiveLock<R: Sendable>(
        _ body: () throws(DeviceError) -> R
    ) throws(DeviceError) -> R {
        try base.withExclusiveLock(body)
    }

    func path(of file: DeviceFile) -> String { base.path(of: file) }
}

@Suite struct `A keychain from before rows were summed` {
    private let home: TestHome
    private let path: String
    private let storage = StoppableStorage()

    init() throws {
        home = try TestHome()
        path = home.root + "/store.db"
        try require(FileFacts.make(path), path)
        let keychain = try open().keychain
        for account in ["ada", "bob"] { #expect(keychain.add(password(account)) == .success) }
        try ageStore()
        try setNote(false)
    }

    private func open() throws -> EngineFixture {
        let fixture = try EngineFixture(storage: storage, database: path)
        try fixture.unlock()
        return fixture
    }

    /// Makes the store one of version 1.
    private func ageStore() throws {
        let connection = try SQLiteConnection(opening: path)
        for itemClass in ItemClass.stored {
            try connection.execute("DROP INDEX i_\(itemClass.rawValue)_labl")
        }
        try connection.execute("DROP TABLE row_sum")
        try connection.execute("DROP TABLE key_set")
        try connection.execute("DROP TABLE lookup_pairs")
        try connection.execute("DROP TABLE file_keys")
        try connection.execute("DROP TABLE sync_records")
        try connection.execute("DROP TABLE handle_keys")
        try connection.execute("DROP INDEX i_keys_pkhh")
        try connection.execute("ALTER TABLE keys DROP COLUMN d_pkhh")
        try connection.execute("PRAGMA user_version = 1")
    }

    /// Has the keybag say whether the rows are summed.
    private func setNote(_ isSummed: Bool) throws {
        let element = SoftwareSecureElement(storage: storage, random: SystemRandomSource())
        let bytes = try #require(try storage.read(.keybag))
        var keybag = try Keybag(decoding: bytes, path: "keybag", element: element)
        keybag.record.sumsRows = isSummed
        try storage.replace(.keybag, with: try keybag.encoded())
    }

    private func isNoted() throws -> Bool {
        try KeybagRecord(parsing: try #require(try storage.read(.keybag)), path: "keybag").sumsRows
    }

    private func hasSum() throws -> Bool {
        try SQLiteConnection(opening: path).number("SELECT COUNT(*) FROM row_sum") == 1
    }

    private func takeRow() throws {
        try SQLiteConnection(opening: path).execute("DELETE FROM genp WHERE row = 1")
    }

    @Test(.requirement("OPS-08"))
    func `is taken over when it is opened, with every item`() throws {
        let fixture = try open()
        #expect(fixture.keychain.accounts(password(nil)) == ["ada", "bob"])
        #expect(try fixture.faults() == [])
        #expect(try isNoted() && hasSum())
    }

    @Test func `is taken over once: what is taken away later shows`() throws {
        #expect(try open().faults() == [])
        try takeRow()
        #expect(try open().faults() == [.rowSum(found: 1, written: 2)])
    }

    @Test func `is taken over anew after a crash between the sum and the note`() throws {
        storage.isStopped.withLock { $0 = true }
        #expect(throws: KeychainError.self) { try open() }
        #expect(try hasSum() && !isNoted())
        storage.isStopped.withLock { $0 = false }
        #expect(try open().faults() == [])
        #expect(try isNoted())
    }

    @Test func `is not feigned by taking the sum away`() throws {
        _ = try open()
        try ageStore()
        try takeRow()
        #expect(try open().faults() == [.rowSum(found: 1, written: 0)])
    }

    @Test func `is not feigned by the version alone`() throws {
        _ = try open()
        try SQLiteConnection(opening: path).execute("PRAGMA user_version = 1")
        let error = #expect(throws: KeychainError.self) { try open() }
        let refusal = "\(path) does not have the keychain's schema: "
        #expect(error?.reason.hasPrefix(refusal) == true, "\(error?.reason ?? "")")
    }

    @Test func `is taken over for another process that has it open`() throws {
        let first = try open()
        try setNote(false)
        let second = try open()
        #expect(first.keychain.add(password("cyd")) == .success)
        #expect(second.keychain.add(password("dan")) == .success)
        #expect(try first.faults() == [] && second.faults() == [])
    }
}

@Suite struct `The sum of the rows in a directory` {
    private let home: TestHome

    init() throws { home = try TestHome() }

    @Test func `is right after two processes wrote at the same time`() async throws {
        let keychains = [try home.open(), try home.open()]
        await withTaskGroup { group in
            for (number, keychain) in keychains.enumerated() {
                group.addTask {
                    for account in 0..<25 {
                        let item = password("\(number)-\(account)")
                        #expect(keychain.add(item) == .success)
                        #expect(keychain.update(item, "again") == .success)
                        if account % 5 == 0 { #expect(keychain.delete(item) == .success) }
                    }
                }
            }
        }
        #expect(try keychains.map { try $0.endpoint.engine.faults() } == [[], []])
        #expect(keychains.map { $0.accounts(password(nil)).count } == [40, 40])
    }

    @Test func `is not even looked at in a database of before a factory reset`() throws {
        do { #expect(try home.open().add(password()) == .success) }
        let copy = try home.read(home.home.database)
        do { try home.open().endpoint.engine.erase() }
        try home.write(copy, to: home.home.database)
        // The keybag of today has other class keys than that database names.
        #expect(try #require(home.refusal()).reason.contains("do not belong together"))
    }

    @Test func `follows a log that ends early: rows and sum are of one moment`() throws {
        let keychain = try home.open()
        #expect(keychain.add(password("ada")) == .success)
        let early = try home.read(home.home.database + "-wal")
        #expect(keychain.add(password("bob")) == .success)
        let copy = try TestHome()
        do { _ = try copy.open() }
        for name in ["keychain.db", "keybag", "secure-element"] {
            let bytes = try home.read(home.directory + "/" + name)
            try copy.write(bytes, to: copy.directory + "/" + name)
        }
        try require(FileFacts.make(copy.home.database + "-wal"), "log")
        try copy.write(early, to: copy.home.database + "-wal")
        let engine = try copy.open().endpoint.engine
        #expect(try engine.faults() == [])
    }
}
