import CallerEvidence
import DataProtection
import EngineTestSupport
import KeychainMessages
import KeychainModel
import Secrets
import TestSupport
import Testing

@testable import KeychainDaemon

private let digest = [UInt8](repeating: 9, count: 32)

/// A grant that makes no sense.
private let badGrants: [AccessGrant] = [
    AccessGrant(group: "", program: .program("/usr/bin/mailer")),
    AccessGrant(group: "*", program: .program("/usr/bin/mailer")),
    AccessGrant(group: "mail*", program: .program("/usr/bin/mailer")),
    AccessGrant(group: "ma\nil", program: .program("/usr/bin/mailer")),
    AccessGrant(group: "\u{202E}mail", program: .program("/usr/bin/mailer")),
    AccessGrant(group: String(repeating: "g", count: 1025), program: .unit("shop.service")),
    AccessGrant(group: "mail", program: .program("")),
    AccessGrant(group: "mail", program: .program("/")),
    AccessGrant(group: "mail", program: .program("mailer")),
    AccessGrant(group: "mail", program: .program("./mailer")),
    AccessGrant(group: "mail", program: .program("/usr//mailer")),
    AccessGrant(group: "mail", program: .program("/usr/../mailer")),
    AccessGrant(group: "mail", program: .program("/usr/bin/")),
    AccessGrant(group: "mail", program: .program("/" + String(repeating: "p", count: 4096))),
    AccessGrant(group: "mail", program: .flatpak("")),
    AccessGrant(group: "mail", program: .snap("snap\u{0}")),
    AccessGrant(group: "mail", program: .unit("shop.service"), digest: digest),
    AccessGrant(group: "mail", program: .program("/usr/bin/mailer"), digest: [1, 2, 3]),
]

/// One of each kind.
private let goodGrants: [AccessGrant] = [
    AccessGrant(group: "mail", program: .program("/usr/bin/mailer")),
    AccessGrant(group: "mail", program: .program("/usr/bin/other"), digest: digest),
    AccessGrant(group: "shop", program: .unit("shop.service")),
    AccessGrant(group: "web", program: .flatpak("org.example.Browser")),
    AccessGrant(group: "web", program: .snap("browser")),
    AccessGrant(group: "web", program: .label("/usr/sbin/ntpd")),
    AccessGrant(group: "path:/usr/bin/mailer", program: .account("ada")),
]

@Suite(.requirement("DMN-06")) struct `The grants of an account` {
    private let storage = MemoryStorage()

    private func store(key: UInt8 = 5) -> GrantStore {
        let key = SharedSecret(Secret(copying: [UInt8](repeating: key, count: 32)))
        return GrantStore(storage: storage, key: key)
    }

    @Test func `are none at first`() throws {
        #expect(try store().grants == [])
    }

    @Test func `are there after a restart, in their order`() throws {
        let first = store()
        try goodGrants.forEach(first.add)
        #expect(try first.grants == goodGrants)
        #expect(try store().grants == goodGrants)
    }

    @Test(arguments: goodGrants)
    func `are kept, and taken back`(grant: AccessGrant) throws {
        let store = store()
        try store.add(grant)
        #expect(try store.grants == [grant])
        try store.remove(grant)
        #expect(try store.grants == [])
    }

    @Test func `are seen by a store that has read them before`() throws {
        let reader = store()
        #expect(try reader.grants == [])
        try store().add(goodGrants[0])
        #expect(try reader.grants == [goodGrants[0]])
    }

    @Test func `are looked for again only after a while, where nobody else changes them`() throws {
        let key = SharedSecret(Secret(copying: [UInt8](repeating: 5, count: 32)))
        let patient = GrantStore(storage: storage, key: key, patience: .max)
        #expect(try patient.grants == [])
        try store().add(goodGrants[0])
        #expect(try patient.grants == [])
        try patient.add(goodGrants[1])
        #expect(try patient.grants == [goodGrants[0], goodGrants[1]])
        try patient.remove(goodGrants[0])
        #expect(try patient.grants == [goodGrants[1]])
    }

    @Test func `replace the one of the same group and program`() throws {
        let store = store()
        try store.add(goodGrants[0])
        let bound = AccessGrant(group: "mail", program: goodGrants[0].program, digest: digest)
        try store.add(bound)
        #expect(try store.grants == [bound])
        try store.remove(goodGrants[0])
        #expect(try store.grants == [])
    }

    @Test(arguments: badGrants)
    func `are refused when they make no sense`(grant: AccessGrant) throws {
        let store = store()
        #expect(throws: KeychainError(.param, "")) { try store.add(grant) }
        #expect(try store.grants == [])
    }

    @Test func `cannot be taken back twice`() throws {
        #expect(throws: KeychainError(.itemNotFound, "")) { try store().remove(goodGrants[0]) }
    }

    @Test func `have a limit`() throws {
        let store = store()
        let grants = (0..<GrantList.limit).map { number in
            AccessGrant(group: "g\(number)", program: .snap("s"))
        }
        try grants.forEach(store.add)
        #expect(throws: KeychainError(.notAvailable, "")) { try store.add(goodGrants[0]) }
        #expect(try store.grants.count == GrantList.limit)
    }

    @Test func `are nothing for another keychain's key`() throws {
        try store().add(goodGrants[0])
        #expect(throws: KeychainError(.decode, "")) { try store(key: 6).grants }
    }

    @Test func `are nothing when any byte of the file is changed, and nothing replaces it`() throws
    {
        try store().add(goodGrants[0])
        let bytes = try #require(storage.read(.grants))
        let isRefused = SpoiledBytes.all(of: bytes).map { spoiled in
            storage.replace(.grants, with: spoiled)
            let isRead = (try? store().grants) != nil
            let isAdded = (try? store().add(goodGrants[1])) != nil
            return !isRead && !isAdded && storage.read(.grants) == spoiled
        }
        #expect(!isRefused.contains(false))
    }

    @Test func `tell which file is damaged`() {
        storage.replace(.grants, with: [1])
        let error = #expect(throws: KeychainError.self) { try store().grants }
        #expect(error?.status == .decode)
        #expect(error?.reason.contains("grants is damaged") == true)
    }

    @Test(
        arguments: [
            [0], [7, 0, 1, 97, 0, 1, 97, 0], [4], [4, 0], [4, 0, 9, 97], [4, 0, 1, 97, 0, 1, 97],
            [4, 0, 1, 97, 0, 1, 97, 2], [4, 0, 1, 97, 0, 0, 0], [4, 0, 1, 0xFF, 0, 1, 97, 0],
            [1, 0, 2, 47, 97, 0, 1, 97, 1, 5], [4, 0, 1, 97, 0, 1, 42, 0],
            [4, 0, 1, 97, 0, 1, 97, 0, 4, 0, 1, 97, 0, 1, 97, 0],
        ] as [[UInt8]]
    )
    func `are no other bytes, even sealed ones`(bytes: [UInt8]) {
        #expect(GrantList(bytes) == nil)
    }
}

@Suite(.requirement("DMN-06")) struct `A request about grants` {
    private let grant = goodGrants[0]

    private func setUp(passcode: String?) throws -> (EngineFixture, GrantStore) {
        let storage = MemoryStorage()
        let fixture = try EngineFixture(storage: storage, passcode: passcode)
        let key = try fixture.engine.derivedKey("grants")
        return (fixture, GrantStore(storage: storage, key: key))
    }

    private func perform(
        _ request: DaemonRequest,
        _ place: (fixture: EngineFixture, store: GrantStore)
    ) throws(KeychainError) -> DaemonReply {
        try GrantRequests.perform(request, on: place.store, of: place.fixture.engine)
    }

    @Test func `shares a group for the passcode, in a locked keychain that stays locked`() throws {
        let place = try setUp(passcode: EngineFixture.passcode)
        let passcode = EngineFixture.secret(EngineFixture.passcode)
        _ = try perform(.grant(grant, passcode: passcode), place)
        #expect(try place.1.grants == [grant])
        #expect(try place.0.engine.lockState().state == .beforeFirstUnlock)
        guard case .grants(let listed) = try perform(.grants, place) else {
            Issue.record("no list")
            return
        }
        #expect(listed == [grant])
        _ = try perform(.revoke(grant, passcode: passcode), place)
        #expect(try place.1.grants == [])
    }

    @Test func `counts a wrong passcode, and changes nothing`() throws {
        let place = try setUp(passcode: EngineFixture.passcode)
        let wrong = EngineFixture.secret("0000")
        #expect(throws: KeychainError(.authFailed, "")) {
            try perform(.grant(grant, passcode: wrong), place)
        }
        #expect(throws: KeychainError(.authFailed, "")) {
            try perform(.revoke(grant, passcode: wrong), place)
        }
        #expect(try place.0.engine.attemptsBeforeFirstUnlock() == 2)
        #expect(try place.1.grants == [])
    }

    @Test func `is refused after too many wrong passcodes, the right one included`() throws {
        let place = try setUp(passcode: EngineFixture.passcode)
        let wrong = DaemonRequest.grant(grant, passcode: EngineFixture.secret("0000"))
        let isGranted = (0..<5).map { _ in (try? perform(wrong, place)) != nil }
        #expect(!isGranted.contains(true))
        let right = EngineFixture.secret(EngineFixture.passcode)
        #expect(throws: KeychainError.self) { try perform(.grant(grant, passcode: right), place) }
        #expect(try place.1.grants == [])
    }

    @Test func `tells an owner without a passcode what to do`() throws {
        let place = try setUp(passcode: nil)
        let error = #expect(throws: KeychainError.self) {
            try perform(.grant(grant, passcode: EngineFixture.secret("")), place)
        }
        #expect(error?.status == .authFailed)
        #expect(error?.reason.contains("keychainctl passcode set") == true)
    }

    @Test func `does not count an attempt for a grant that makes no sense`() throws {
        let place = try setUp(passcode: EngineFixture.passcode)
        #expect(throws: KeychainError(.param, "")) {
            let passcode = EngineFixture.secret("0000")
            return try perform(.grant(badGrants[0], passcode: passcode), place)
        }
        #expect(try place.0.engine.attemptsBeforeFirstUnlock() == 0)
    }
}

@Suite struct `A key for what is beside the items` {
    private func key(_ label: String = "log", of fixture: EngineFixture) throws -> [UInt8] {
        try fixture.engine.derivedKey(label).secret.copyBytesUnprotected()
    }

    @Test func `differs by label, and survives a change of passcode in every lock state`() throws {
        let storage = MemoryStorage()
        let fixture = try EngineFixture(storage: storage)
        let log = try key(of: fixture)
        #expect(log.count == 32)
        #expect(try key("grants", of: fixture) != log)
        try fixture.engine.setPasscode(
            EngineFixture.secret("new"),
            current: EngineFixture.secret(EngineFixture.passcode)
        )
        #expect(try key(of: fixture) == log)
        try fixture.engine.removePasscode(current: EngineFixture.secret("new"))
        #expect(try key(of: fixture) == log)
    }

    @Test func `is the same in another process`() throws {
        let storage = MemoryStorage()
        let log = try key(of: try EngineFixture(storage: storage))
        #expect(try key(of: try EngineFixture(storage: storage)) == log)
    }

    @Test func `is another one after a factory reset`() throws {
        let fixture = try EngineFixture()
        let log = try key(of: fixture)
        try fixture.engine.erase()
        #expect(try key(of: fixture) != log)
    }
}
