import EngineTestSupport
import Foundation
import KeychainHost
import KeychainMessages
import KeychainModel
import ModelTestSupport
import Synchronization
import TestSupport
import Testing

@testable import KeychainEngine

@Suite struct `Replacing an access control` {
    private let fixture: EngineFixture

    init() throws { fixture = try EngineFixture.unlocked() }

    /// The fixture's keychain, with somebody who answers.
    private func keychain(_ person: Person?) -> TestKeychain {
        TestKeychain(
            EngineEndpoint(
                engine: fixture.engine,
                caller: TestKeychain.caller(EngineFixture.groups),
                prompter: person,
                note: { _ in }
            )
        )
    }

    private func replace(
        _ flags: AccessControl.Flags,
        _ protection: ProtectionClass? = nil,
        of item: AttributeDictionary = password(),
        by person: Person? = nil
    ) -> SecurityStatus {
        keychain(person).status(
            .replaceAccessControl(item, flags: flags, protection: protection)
        )
    }

    private func gated(_ flags: AccessControl.Flags = .devicePasscode) -> AttributeDictionary {
        let control = AccessControl(protection: .whenUnlocked, flags: flags)
        return password("ada", service: "mail", [.accessControl: .accessControl(control)])
    }

    @Test func `is refused with an access control that nobody could have made`() throws {
        keychain(nil).add(password())
        #expect(replace(AccessControl.Flags(rawValue: 1 << 40)) == .param)
        #expect(keychain(nil).read(password()) == .value("open sesame"))
    }

    @Test func `makes an open item demand the passcode, and keeps all else`() throws {
        let keychain = keychain(Person(passcode: "1234"))
        keychain.add(password("ada", service: "mail", [.label: .string("Ada's")]))
        let before = try #require(keychain.attributes(password()).first)
        fixture.clock.advance(seconds: 60)
        #expect(replace(.devicePasscode) == .success)
        #expect(self.keychain(nil).read(password()) == .notAllowed)
        #expect(self.keychain(Person(passcode: "9")).read(password()) == Reading(.authFailed, nil))
        #expect(keychain.read(password()) == .value("open sesame"))
        let after = try #require(keychain.attributes(password()).first)
        let control = AccessControl(protection: .whenUnlocked, flags: .devicePasscode)
        #expect(after[.accessControl] == .accessControl(control))
        #expect(after[.modificationDate] != before[.modificationDate])
        let changed: Set<Attribute> = [.accessControl, .modificationDate]
        let kept = before.filter { !changed.contains($0.key) }
        #expect(after.filter { !changed.contains($0.key) } == kept)
    }

    @Test func `makes an item open again, after one prompt`() {
        let person = Person(passcode: "1234")
        keychain(nil).add(gated())
        #expect(replace([], by: person) == .success)
        #expect(person.count == 1)
        #expect(keychain(nil).read(password()) == .value("open sesame"))
    }

    @Test func `keeps the persistent reference`() throws {
        let keychain = keychain(nil)
        keychain.add(password())
        let reference = try persistentReference()
        #expect(replace(.devicePasscode) == .success)
        let query: AttributeDictionary = [
            .itemClass: .string(.genericPassword), .valuePersistentReference: .data(reference),
        ]
        #expect(self.keychain(Person(passcode: "1234")).read(query) == .value("open sesame"))
    }

    private func persistentReference() throws -> [UInt8] {
        var query = password()
        query[.returnPersistentReference] = .bool(true)
        let reply = try keychain(nil).endpoint.send(.copyMatching(query))
        guard case .result(.persistentReference(let bytes)) = reply else {
            throw KeychainError(.internal, "no reference")
        }
        return bytes
    }

    @Test(
        arguments: [
            (nil, .interactionNotAllowed), (Person(passcode: "9999"), .authFailed),
            (Person(passcode: nil), .userCanceled),
        ] as [(Person?, SecurityStatus)]
    )
    func `is not for who cannot open the item`(person: Person?, status: SecurityStatus) {
        keychain(nil).add(gated())
        #expect(replace([], by: person) == status)
        #expect(replace(.applicationPassword, by: person) == status)
        #expect(keychain(nil).read(password()) == .notAllowed)
        #expect(keychain(Person(passcode: "1234")).read(password()) == .value("open sesame"))
    }

    @Test func `leaves the item as it was when the new one cannot be made`() {
        keychain(nil).add(password())
        #expect(replace(.biometryAny) == .authFailed)
        #expect(replace(.applicationPassword) == .interactionNotAllowed)
        #expect(keychain(nil).read(password()) == .value("open sesame"))
    }

    @Test func `asks for the new password, and then demands it`() {
        keychain(nil).add(password())
        let person = Person(passcode: nil, password: "swordfish")
        #expect(replace(.applicationPassword, by: person) == .success)
        #expect(person.count == 1)
        #expect(keychain(person).read(password()) == .value("open sesame"))
        let other = Person(passcode: nil, password: "herring")
        #expect(keychain(other).read(password()) == Reading(.authFailed, nil))
    }

    @Test func `changes when the item can be read`() throws {
        keychain(nil).add(password())
        #expect(replace([], .afterFirstUnlock) == .success)
        try fixture.engine.lock()
        #expect(keychain(nil).read(password()) == .value("open sesame"))
    }

    @Test func `is for one item that is there`() {
        let keychain = keychain(nil)
        #expect(replace(.devicePasscode) == .itemNotFound)
        keychain.add(password())
        keychain.add(password("bob"))
        #expect(replace(.devicePasscode, of: password(nil)) == .param)
        #expect(replace(.devicePasscode, of: .of(.identity)) == .param)
        #expect(keychain.read(password()) == .value("open sesame"))
    }

    @Test func `is refused to an item that travels`() {
        keychain(nil).add(password("ada", service: "mail", [.synchronizable: .bool(true)]))
        let item = password("ada", service: "mail", [.synchronizable: .bool(true)])
        #expect(replace(.devicePasscode, of: item) == .param)
        #expect(keychain(nil).read(item) == .value("open sesame"))
    }
}

@Suite struct `What a replaced access control leaves behind` {
    @Test func `is nothing of the old sealed value`() throws {
        let home = try TestHome()
        let path = home.root + "/items.db"
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        let fixture = try EngineFixture(database: path)
        try fixture.unlock()
        fixture.keychain.add(password())
        let row = try fixture.inside { state throws(KeychainError) in
            try state.vault.store.rows(
                RowFilter(itemClass: .genericPassword),
                withSecrets: true
            )
            .first
        }
        let value = try #require(row?.item.secret)
        #expect(try Self.files(path).contains { $0.firstRange(of: value) != nil })
        let request = ItemRequest.replaceAccessControl(
            password(),
            flags: .devicePasscode,
            protection: nil
        )
        #expect(fixture.keychain.status(request) == .success)
        #expect(try Self.files(path).allSatisfy { $0.firstRange(of: value) == nil })
    }

    private static func files(_ path: String) throws -> [[UInt8]] {
        try ["", "-wal"].map { path + $0 }.filter(FileManager.default.fileExists)
            .map { [UInt8](try Data(contentsOf: URL(filePath: $0))) }
    }
}

/// Somebody who answers every prompt; without a passcode by Cancel, unless a password is asked for.
final class Person: Prompter {
    private let passcode: String?
    private let password: String?
    private let prompts = Mutex(0)

    init(passcode: String?, password: String? = nil) {
        self.passcode = passcode
        self.password = password
    }

    /// How often somebody was asked.
    var count: Int { prompts.withLock { $0 } }

    func answer(_ prompt: Prompt) -> PromptAnswer {
        prompts.withLock { $0 += 1 }
        let text = prompt.kind == .passcode ? passcode : password
        return text.map { .typed(EngineFixture.secret($0)) } ?? .canceled
    }
}
