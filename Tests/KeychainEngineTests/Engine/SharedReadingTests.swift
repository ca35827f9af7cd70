import Cryptography
import EngineTestSupport
import Foundation
import KeychainHost
import KeychainModel
import ModelTestSupport
import Synchronization
import TestSupport
import Testing

@testable import KeychainEngine

@Suite struct `Searches side by side` {
    private let home: TestHome
    private let keychain: TestKeychain

    init() throws {
        home = try TestHome()
        keychain = try home.open()
        for number in 0..<20 { keychain.add(password("account \(number)"), "value \(number)") }
    }

    /// Eight threads read 200 values each.
    private func readings() -> Set<Reading> {
        let found = Mutex<Set<Reading>>([])
        let keychain = keychain
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for number in 0..<200 {
                let reading = keychain.read(password("account \((thread + number) % 20)"))
                found.withLock { _ = $0.insert(reading) }
            }
        }
        return found.withLock { $0 }
    }

    @Test func `find what is there, each its own`() {
        #expect(readings() == Set((0..<20).map { Reading.value("value \($0)") }))
    }

    @Test func `see what was written just before, by this process or another`() throws {
        let other = try home.open()
        #expect(other.read(password("account 1")) == .value("value 1"))
        keychain.update(password("account 1"), "new")
        #expect(keychain.read(password("account 1")) == .value("new"))
        #expect(other.read(password("account 1")) == .value("new"))
        other.delete(password("account 1"))
        #expect(keychain.read(password("account 1")) == .notFound)
    }

    /// The names of the groups are read from the store too, by each search for itself.
    @Test(arguments: [[:], ["user": "ada"]])
    func `of a caller with a wildcard find what is there`(pairs: [String: String]) throws {
        #expect(keychain.add(try paired("paired", ["user": "ada", "kind": "note"])) == .success)
        let caller = TestKeychain.caller(["TEAM.*"])
        let engine = keychain.endpoint.engine
        let wild = TestKeychain(EngineEndpoint(engine: engine, caller: caller, note: { _ in }))
        let query = try paired(nil, pairs)
        let found = Mutex<Set<Int>>([])
        DispatchQueue.concurrentPerform(iterations: 400) { _ in
            let count = wild.attributes(query).count
            found.withLock { _ = $0.insert(count) }
        }
        #expect(found.withLock { $0 } == [pairs.isEmpty ? 21 : 1])
    }

    @Test func `are remembered when they miss`() throws {
        #expect(keychain.read(password("account 1", [.label: .string("none")])) == .notFound)
        #expect(keychain.add(password("account 1")) == .duplicateItem)
    }

    @Test func `find nothing any more once locking has returned`() throws {
        let engine = keychain.endpoint.engine
        let passcode = EngineFixture.secret("1234")
        try engine.setPasscode(passcode, current: nil)
        let isLocked = Atomic(false)
        let late = Mutex<Set<Reading>>([])
        let early = Mutex<Set<Reading>>([])
        let keychain = keychain
        DispatchQueue.concurrentPerform(iterations: 5) { thread in
            if thread == 4 {
                try? engine.lock()
                isLocked.store(true, ordering: .sequentiallyConsistent)
                return
            }
            for number in 0..<200 {
                let wasLocked = isLocked.load(ordering: .sequentiallyConsistent)
                let reading = keychain.read(password("account \(number % 20)"))
                if wasLocked {
                    late.withLock { _ = $0.insert(reading) }
                } else {
                    early.withLock { _ = $0.insert(reading) }
                }
            }
        }
        let allowed = Set((0..<20).map { Reading.value("value \($0)") } + [.notAllowed])
        #expect(early.withLock { $0 }.isSubset(of: allowed))
        #expect(late.withLock { $0 }.isSubset(of: [.notAllowed]))
        #expect(keychain.read(password("account 1")) == .notAllowed)
        try engine.unlock(passcode: passcode)
        #expect(keychain.read(password("account 1")) == .value("value 1"))
    }
}

@Suite struct `A value that is read by its whole primary key` {
    private let home: TestHome
    private let keychain: TestKeychain

    init() throws {
        home = try TestHome()
        keychain = try home.open()
        for account in ["ada", "ben"] { keychain.add(password(account), "value of \(account)") }
    }

    private func execute(_ sql: String...) throws {
        let connection = try SQLiteConnection(opening: home.home.database)
        for statement in sql { try connection.execute(statement) }
    }

    private func work(_ query: AttributeDictionary) throws -> EngineCounters {
        let engine = keychain.endpoint.engine
        let before = try engine.counters
        #expect(keychain.read(query) == .value("value of ada"))
        return try engine.counters - before
    }

    @Test(.requirement("STO-05"))
    func `is opened alone`() throws {
        _ = keychain.read(password())
        let alone = EngineCounters(openedMetadata: 0, openedSecrets: 1, elementTrips: 1)
        let both = EngineCounters(openedMetadata: 1, openedSecrets: 1, elementTrips: 1)
        #expect(try work(password()) == alone)
        #expect(try work(password(service: nil)) == both)
        let shared = password("ada", [.accessGroup: .string("TEAM.app")])
        #expect(try work(shared) == alone)
    }

    /// What somebody with the file may take over from ada's row beside its primary key.
    @Test(
        arguments: [
            "pdmn = pdmn",
            "d_acct = (SELECT d_acct FROM kept)",
            "pref = (SELECT pref FROM kept)",
            "metadata = (SELECT metadata FROM kept)",
            "metadata = (SELECT metadata FROM kept), d_acct = (SELECT d_acct FROM kept)",
            "pdmn = 8",
        ]
    )
    func `is nobody else's, though a row says so`(edit: String) throws {
        try execute(
            "CREATE TEMP TABLE kept AS SELECT * FROM genp WHERE row = 1",
            "UPDATE genp SET pkey = zeroblob(16), pref = zeroblob(16) WHERE row = 1",
            "UPDATE genp SET pkey = (SELECT pkey FROM kept), \(edit) WHERE row = 2"
        )
        #expect(keychain.read(password()) == .notFound)
        #expect(keychain.read(password("ben")) == .notFound)
    }

    @Test(arguments: ["d_agrp = zeroblob(16)", "d_svce = NULL", "pref = zeroblob(16)", "sync = 1"])
    func `is the right one where another column was edited, and its attributes are absent`(
        edit: String
    ) throws {
        try execute("UPDATE genp SET \(edit) WHERE row = 1")
        #expect(keychain.read(password()) == .value("value of ada"))
        #expect(keychain.attributes(password("ada")) == [])
    }

    @Test(.requirement("GRP-13"), .contradiction("group-in-queries"), arguments: 1...6)
    func `is found in any of the caller's groups, the oldest item first`(count: Int) throws {
        let engine = keychain.endpoint.engine
        let groups = (0..<count).map { "TEAM.group\($0)" }
        let keychain = TestKeychain(
            EngineEndpoint(engine: engine, caller: TestKeychain.caller(groups)) { _ in }
        )
        for group in groups.reversed() {
            let item = password("cyd", [.accessGroup: .string(group)])
            #expect(keychain.add(item, "value in \(group)") == .success)
            #expect(keychain.read(item) == .value("value in \(group)"))
            #expect(keychain.read(password("cyd")) == .value("value in \(groups[count - 1])"))
        }
        #expect(self.keychain.read(password("cyd")) == .notFound)
        for group in groups.reversed() {
            #expect(keychain.read(password("cyd")) == .value("value in \(group)"))
            keychain.delete(password("cyd", [.accessGroup: .string(group)]))
        }
        #expect(keychain.read(password("cyd")) == .notFound)
    }

    @Test(.requirement("OPS-08"))
    func `of an earlier version is read as ever, and written anew by an update`() throws {
        let engine = keychain.endpoint.engine
        try engine.sealAsEarlier(row: 1)
        let work = try work(password())
        #expect(work.openedMetadata == 1 && work.openedSecrets == 1)
        #expect(keychain.attributes(password()).count == 1)
        #expect(try engine.faults() == [])
        keychain.update(password(), "new")
        #expect(keychain.read(password()) == .value("new"))
        keychain.update(password(), "value of ada")
        let alone = EngineCounters(openedMetadata: 0, openedSecrets: 1, elementTrips: 1)
        #expect(try self.work(password()) == alone)
    }

    @Test func `is absent where the binding was edited`() throws {
        try execute("UPDATE genp SET metadata = x'02' || zeroblob(16) || substr(metadata, 18)")
        #expect(keychain.read(password()) == .notFound)
        #expect(keychain.read(password("ben")) == .notFound)
    }

    @Test func `of a key goes to nobody whose key may not leave`() throws {
        var key: AttributeDictionary = [
            .itemClass: .string(.key), .keyClass: .number(1), .isExtractable: .number(0),
        ]
        key[.type] = .number(42)
        key[.keySizeInBits] = .number(256)
        key[.effectiveKeySize] = .number(256)
        key[.applicationLabel] = .data([1, 2, 3])
        key[.applicationTag] = .data([4, 5, 6])
        #expect(keychain.add(key) == .success)
        #expect(keychain.read(key) == Reading(.success, nil))
    }
}

@Suite struct `A lock of many readers` {
    @Test func `gives each change the value alone, and readers no half of one`() {
        let lock = ReadWriteLock((first: 0, second: 0))
        let halves = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for _ in 0..<500 {
                if thread < 2 {
                    lock.withLock { value in
                        value.first += 1
                        value.second += 1
                    }
                } else {
                    let isHalf = lock.withSharedLock { $0.first != $0.second }
                    if isHalf { halves.add(1, ordering: .relaxed) }
                }
            }
        }
        #expect(halves.load(ordering: .relaxed) == 0)
        #expect(lock.withSharedLock { $0.first } == 1000)
    }

    @Test func `hands on what its body throws, and is free afterwards`() {
        let lock = ReadWriteLock(1)
        #expect(throws: CryptographyError.authenticationFailed) {
            try lock.withLock { _ throws(CryptographyError) in throw .authenticationFailed }
        }
        #expect(throws: CryptographyError.authenticationFailed) {
            try lock.withSharedLock { _ throws(CryptographyError) in throw .authenticationFailed }
        }
        #expect(lock.withLock { $0 } == 1)
    }
}
