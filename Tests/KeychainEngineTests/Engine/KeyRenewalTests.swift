import Cryptography
import DataProtection
import EngineTestSupport
import Glibc
import KeychainHost
import KeychainMessages
import KeychainModel
import ModelTestSupport
import Secrets
import TestSupport
import Testing

@testable import DataProtection
@testable import KeychainEngine

/// Every kind of item that a passcode protects.
private let kinds: [(account: String, more: [String: AttributeValue])] = [
    ("unlocked", [:]),
    ("device", [.accessible: .string(.whenUnlockedThisDeviceOnly)]),
    ("after", [.accessible: .string(.afterFirstUnlock)]),
    ("after-device", [.accessible: .string(.afterFirstUnlockThisDeviceOnly)]),
    ("synced", [.synchronizable: .bool(true)]),
]

/// What a passcode's owner may do to it.
private enum Change: String, CaseIterable, CustomTestStringConvertible {
    case set, change, keep

    var testDescription: String { rawValue }

    /// The passcode of before; nil for none.
    var former: String? { self == .set ? nil : "1111" }
    var next: String { self == .keep ? "1111" : "2222" }
}

@Suite struct `A keybag of before a passcode was set or changed` {
    private let home: TestHome

    init() throws { home = try TestHome() }

    private func fill(_ keychain: TestKeychain, _ suffix: String) {
        for kind in kinds {
            let item = password(kind.account + suffix, kind.more)
            #expect(keychain.add(item, "value of " + kind.account) == .success)
        }
    }

    /// Makes a keychain with items from before and after the change.
    ///
    /// - Returns: The files of before the change.
    private func make(_ change: Change) throws -> [String: [UInt8]] {
        let former = change.former.map(EngineFixture.secret)
        do {
            let keychain = try home.open()
            if let former { try keychain.endpoint.engine.setPasscode(former, current: nil) }
            fill(keychain, "-before")
        }
        let before = try home.files()
        let keychain = try home.open()
        try keychain.endpoint.engine.setPasscode(
            EngineFixture.secret(change.next),
            current: former
        )
        fill(keychain, "-after")
        for suffix in ["-before", "-after"] {
            for kind in kinds {
                let item = password(kind.account + suffix, kind.more)
                #expect(keychain.read(item) == .value("value of " + kind.account))
            }
        }
        return before
    }

    @Test(.requirement("LCK-07"), arguments: Change.allCases)
    fileprivate func `is refused by name beside the database of today`(change: Change) throws {
        let before = try make(change)
        try home.write(try #require(before[home.home.keybag]), to: home.home.keybag)
        let refusal = try #require(home.refusal())
        #expect(refusal.status == .notAvailable)
        #expect(refusal.reason.contains("do not belong together"))
    }

    /// Also with the name of its keys in the database, and with the metadata keys of then.
    @Test(.requirement("LCK-07"), arguments: Change.allCases, [false, true])
    fileprivate func `opens nothing that the passcode protects, however it is made to fit`(
        change: Change,
        withFormerMetadataKeys: Bool
    ) throws {
        let before = try make(change)
        let keybag = try #require(before[home.home.keybag])
        let formerDatabase = home.root + "/former.db"
        try require(FileFacts.make(formerDatabase), formerDatabase)
        try home.write(try #require(before[home.home.database]), to: formerDatabase)
        if let log = before[home.home.database + "-wal"] {
            try require(FileFacts.make(formerDatabase + "-wal"), formerDatabase)
            try home.write(log, to: formerDatabase + "-wal")
        }
        try home.write(keybag, to: home.home.keybag)
        let name = try KeybagRecord(parsing: keybag, path: "keybag").keySet
        do {
            let store = try ItemStore(opening: home.home.database)
            try store.begin()
            try store.replaceKeySet(name)
            if withFormerMetadataKeys {
                let former = try ItemStore(opening: formerDatabase)
                for protection in ProtectionClass.allCases {
                    guard let wrapped = try former.metadataKey(of: protection) else { continue }
                    try store.replaceMetadataKey(wrapped, of: protection)
                }
            }
            try store.commit()
        }
        let keychain = try home.open()
        if let former = change.former {
            try keychain.endpoint.engine.unlock(passcode: EngineFixture.secret(former))
        }
        #expect(keychain.accounts(password(nil)) == [])
        #expect(keychain.accounts(password(nil, [.synchronizable: .bool(true)])) == [])
        let readable = ["-before", "-after"].flatMap { suffix in
            kinds.filter { keychain.read(password($0.account + suffix, $0.more)).value != nil }
                .map { $0.account + suffix }
        }
        #expect(readable == [])
    }

    @Test(.requirement("LCK-07"))
    func `leaves no half of a row under its keys in any file`() throws {
        let keychain = try home.open()
        fill(keychain, "")
        let wrapped = try rows(keychain).flatMap { row in
            [Array(row.item.metadata[29..<77]), Array(try #require(row.item.secret)[13..<61])]
        }
        #expect(!wrapped.isEmpty)
        try keychain.endpoint.engine.setPasscode(EngineFixture.secret("1111"), current: nil)
        let files = try home.files()
        let left = wrapped.filter { bytes in
            files.contains { $0.value.firstRange(of: bytes) != nil }
        }
        #expect(left == [])
    }

    private func rows(_ keychain: TestKeychain) throws -> [SealedRow] {
        try keychain.endpoint.engine.enter { state throws(KeychainError) in
            var filter = RowFilter(itemClass: .genericPassword)
            filter.synchronizable = .any
            return try state.vault.store.rows(filter, withSecrets: true)
        }
    }
}

@Suite struct `A change of passcode` {
    private let home: TestHome

    init() throws { home = try TestHome() }

    @Test(.requirement("LCK-07"))
    func `keeps tombstones, gated items and the sum of the rows sound`() throws {
        let keychain = try home.open()
        let engine = keychain.endpoint.engine
        try engine.setPasscode(EngineFixture.secret("1111"), current: nil)
        #expect(keychain.add(password("gated").gated(.devicePasscode)) == .success)
        #expect(keychain.add(password("gone", [.synchronizable: .bool(true)])) == .success)
        #expect(keychain.delete(password("gone", [.synchronizable: .bool(true)])) == .success)
        #expect(
            keychain.add(password("kept", [.accessible: .string(.whenPasscodeSetThisDeviceOnly)]))
                == .success
        )
        try engine.setPasscode(
            EngineFixture.secret("2222"),
            current: EngineFixture.secret("1111")
        )
        #expect(try engine.faults() == [])
        #expect(keychain.read(password("kept")) == .value("open sesame"))
        #expect(keychain.add(password("gone", [.synchronizable: .bool(true)]), "again") == .success)
    }

    @Test(.requirement("OPS-06"), arguments: Change.allCases)
    fileprivate func `leaves every item to be read, also by a process that starts later`(
        change: Change
    ) throws {
        let former = change.former.map(EngineFixture.secret)
        let first = try home.open()
        if let former { try first.endpoint.engine.setPasscode(former, current: nil) }
        let accounts = kinds.map(\.account)
        let added = kinds.map { first.add(password($0.account, $0.more)) }
        #expect(added.filter { $0 != .success } == [])
        let next = EngineFixture.secret(change.next)
        try first.endpoint.engine.setPasscode(next, current: former)
        let second = try home.open()
        try second.endpoint.engine.unlock(passcode: next)
        let unread = [first, second].flatMap { keychain in
            accounts.filter { account in
                let item = password(account, [.synchronizable: .string(.synchronizableAny)])
                return keychain.read(item) != .value("open sesame")
            }
        }
        #expect(unread == [])
    }

    @Test(.requirement("LCK-07"))
    func `leaves a row that does not open as it is, and says so`() throws {
        let keychain = try home.open()
        for account in ["ada", "ben"] { keychain.add(password(account)) }
        let connection = try SQLiteConnection(opening: home.home.database)
        try connection.execute("UPDATE genp SET metadata = zeroblob(100) WHERE row = 1")
        let new = EngineFixture.secret("1111")
        let command = DeviceRequest.setPasscode(new, current: nil)
        guard case .changed(let warnings) = try keychain.endpoint.send(command) else {
            Issue.record("another reply")
            return
        }
        #expect(warnings.count == 1)
        #expect(warnings.first?.reason.contains("1 rows do not open") == true)
        #expect(keychain.accounts(password(nil)) == ["ben"])
        #expect(try connection.number("SELECT COUNT(*) FROM genp") == 2)
    }

    @Test(.requirement("LCK-07"))
    func `is followed by a process that has the keychain open and reads, writes and searches`()
        throws
    {
        let first = try home.open()
        let second = try home.open()
        try first.endpoint.engine.setPasscode(EngineFixture.secret("1111"), current: nil)
        #expect(first.add(password("ada")) == .success)
        #expect(second.read(password("ada")) == .value("open sesame"))
        try first.endpoint.engine.setPasscode(
            EngineFixture.secret("2222"),
            current: EngineFixture.secret("1111")
        )
        #expect(second.read(password("ada")) == .value("open sesame"))
        #expect(second.add(password("ben")) == .success)
        #expect(first.accounts(password(nil)) == ["ada", "ben"])
        #expect(try first.endpoint.engine.faults() == [])
    }

    /// The change has opened the keybag, and measures the cost of a guess, when the lock comes.
    @Test(.requirement("LCK-07", "LCK-01"))
    func `during which another process locks is refused, and nothing is lost`() throws {
        let first = try home.open()
        try first.endpoint.engine.setPasscode(EngineFixture.secret("1111"), current: nil)
        for kind in kinds { first.add(password(kind.account, kind.more)) }
        first.add(password("needs", [.accessible: .string(.whenPasscodeSetThisDeviceOnly)]))
        let locking = first.endpoint.engine
        let second = try home.open(stretchingCost: {
            #expect(throws: Never.self) { try locking.lock() }
            return Argon2id.Cost(memoryKiB: 32, passes: 1, lanes: 1)
        })
        let refusal = #expect(throws: KeychainError.self) {
            try second.endpoint.engine.setPasscode(
                EngineFixture.secret("2222"),
                current: EngineFixture.secret("1111")
            )
        }
        #expect(refusal?.status == .interactionNotAllowed)
        let keychains = [first, second, try home.open()]
        let closed = keychains.map { $0.read(password("unlocked")) }
        #expect(closed == [.notAllowed, .notAllowed, .notAllowed])
        try second.endpoint.engine.unlock(passcode: EngineFixture.secret("1111"))
        let lost = (kinds.map(\.account) + ["needs"]).filter { account in
            let item = password(account, [.synchronizable: .string(.synchronizableAny)])
            return second.read(item) != .value("open sesame")
        }
        #expect(lost == [])
        #expect(try second.endpoint.engine.faults() == [])
    }

    /// As if the process had died between the transaction and the keybag's new name.
    @Test(.requirement("LCK-07"))
    func `that was cut short after its transaction is finished by whoever opens`() throws {
        let old = try home.open()
        old.add(password("ada"))
        let before = try home.read(home.home.keybag)
        try old.endpoint.engine.setPasscode(EngineFixture.secret("1111"), current: nil)
        let after = try home.read(home.home.keybag)
        try require(FileFacts.make(home.directory + "/keybag.next"), "keybag.next")
        try home.write(after, to: home.directory + "/keybag.next")
        try home.write(before, to: home.home.keybag)
        let opened = try home.open()
        try opened.endpoint.engine.unlock(passcode: EngineFixture.secret("1111"))
        #expect(opened.read(password("ada")) == .value("open sesame"))
        #expect(try home.read(home.home.keybag) == after)
        #expect(access(home.directory + "/keybag.next", F_OK) != 0)
    }

    @Test(.requirement("LCK-07"))
    func `that was cut short is finished by who had the keychain open, before it writes`() throws {
        let second = try home.open()
        second.add(password("ada"))
        let before = try home.read(home.home.keybag)
        let passcode = EngineFixture.secret("1111")
        do { try home.open().endpoint.engine.setPasscode(passcode, current: nil) }
        let next = home.directory + "/keybag.next"
        try require(FileFacts.make(next), next)
        try home.write(try home.read(home.home.keybag), to: next)
        try home.write(before, to: home.home.keybag)
        #expect(second.add(password("ben")) == .interactionNotAllowed)
        try second.endpoint.engine.unlock(passcode: passcode)
        #expect(second.add(password("ben")) == .success)
        #expect(second.accounts(password(nil)) == ["ada", "ben"])
        #expect(try second.endpoint.engine.faults() == [])
    }

    @Test(.requirement("LCK-07"))
    func `that was cut short before its transaction is undone by whoever opens`() throws {
        let keychain = try home.open()
        keychain.add(password("ada"))
        let next = home.directory + "/keybag.next"
        try require(FileFacts.make(next), next)
        try home.write(try home.read(home.home.keybag), to: next)
        let opened = try home.open()
        #expect(opened.read(password("ada")) == .value("open sesame"))
        #expect(access(next, F_OK) != 0)
    }
}
