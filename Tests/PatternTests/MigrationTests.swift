import Foundation
import KeychainSimulator
import Security
import TestSupport
import Testing

@testable import KeychainPatterns

@Suite(.requirement("DOC-07")) struct `A move out of the defaults` {
    let phone: Phone
    let keychain = KeychainStore(service: "api")

    init() throws {
        phone = try Phone()
        phone.app.defaults.set("s3cret", forKey: "token")
    }

    private func run(_ store: any SecretStore, available: Bool = true) -> LegacyMove.Report {
        phone.app.run {
            LegacyMove(defaults: phone.app.defaults, store: store)
                .run(["token", "never set"], isProtectedDataAvailable: available)
        }
    }

    private var old: String? { phone.app.defaults.string(forKey: "token") }

    @Test func `leaves the secret in the keychain only`() throws {
        #expect(run(keychain) == .init(moved: ["token"]))
        #expect(old == nil)
        #expect(try phone.app.run { try keychain.read(account: "token") } == .secret)
        #expect(run(keychain) == .init())
    }

    @Test func `does nothing before protected data is available`() {
        #expect(run(keychain, available: false) == .init(kept: ["token", "never set"]))
        #expect(old == "s3cret")
    }

    @Test func `keeps the old value if the keychain refuses`() {
        let store = MemoryStore()
        store.failure = errSecInteractionNotAllowed
        #expect(run(store) == .init(kept: ["token"]))
        #expect(old == "s3cret")
    }

    @Test func `keeps the old value if the new one cannot be read back`() {
        let store = MemoryStore()
        store.losesWrites = true
        #expect(run(store) == .init(kept: ["token"]))
        #expect(old == "s3cret")
    }

    @Test func `continues after a start before the first unlock`() throws {
        phone.device.reboot()
        // The defaults are empty then, and that must not count as moved.
        #expect(run(keychain) == .init())
        try phone.unlock()
        #expect(run(keychain) == .init(moved: ["token"]))
    }
}

@Suite struct `A move out of an archive` {
    private func archive(_ phone: Phone) throws -> URL {
        let session = LegacySession(user: "ada", token: "s3cret")
        let bytes = try NSKeyedArchiver.archivedData(
            withRootObject: session,
            requiringSecureCoding: true
        )
        try bytes.write(to: phone.file("session.archive"))
        return phone.file("session.archive")
    }

    @Test func `deletes the file after it read the item back`() throws {
        let phone = try Phone()
        let file = try archive(phone)
        let store = MemoryStore()
        store.losesWrites = true
        let lossy = LegacyArchive(file: file, store: store)
        #expect(throws: KeychainError.self) { _ = try lossy.move() }
        #expect(FileManager.default.fileExists(atPath: file.path))
        try phone.app.run { () throws in
            let keychain = KeychainStore(service: "session")
            let move = LegacyArchive(file: file, store: keychain)
            #expect(try move.move() == "ada")
            #expect(try keychain.read(account: "ada") == .secret)
            #expect(try move.move() == nil)
        }
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `leaves a damaged file where it is`() throws {
        let phone = try Phone()
        let file = phone.file("session.archive")
        try Data.other.write(to: file)
        #expect(throws: (any Error).self) {
            _ = try LegacyArchive(file: file, store: MemoryStore()).move()
        }
        #expect(FileManager.default.fileExists(atPath: file.path))
    }
}

@Suite(.requirement("DOC-07")) struct `An upgrade of the accessibility` {
    let phone: Phone
    let upgrade = AccessibilityUpgrade(service: "api")

    init() throws {
        phone = try Phone()
        ["first", "second"].forEach { account in
            #expect(phone.addOld(.secret, service: "api", account: account) == errSecSuccess)
        }
    }

    private func run(available: Bool = true) throws -> AccessibilityUpgrade.Outcome {
        try phone.app.run {
            try upgrade.run(["first", "missing", "second"], isProtectedDataAvailable: available)
        }
    }

    private func canRead(_ account: String) throws -> Bool {
        phone.device.lock()
        defer { #expect(throws: Never.self) { try phone.unlock() } }
        let token = BackgroundToken(service: "api", account: account)
        return try phone.app.run(.background) { try token.read() } == .token(.secret)
    }

    @Test func `opens the items to the background`() throws {
        #expect(try !canRead("second"))
        #expect(try run() == .finished)
        #expect(try canRead("first"))
        #expect(try canRead("second"))
        #expect(try phone.app.run { try upgrade.journal() } == ["first", "missing", "second"])
    }

    @Test func `waits for protected data`() throws {
        #expect(try run(available: false) == .tryLater)
        #expect(try phone.app.run { try upgrade.journal() } == [])
    }

    @Test func `changes nothing on a locked device, and continues later`() throws {
        phone.device.lock()
        #expect(try run() == .tryLater)
        try phone.unlock()
        #expect(try run() == .finished)
        #expect(try canRead("second"))
    }

    @Test func `does not touch again what the journal has`() throws {
        #expect(try run() == .finished)
        phone.device.removeFindings()
        phone.device.lock()
        #expect(try run() == .finished)
    }
}

@Suite struct `A change of the access control` {
    @Test func `replaces the protection and keeps the secret`() throws {
        let phone = try Phone()
        #expect(phone.addOld(.secret, service: "bank", account: "ada") == errSecSuccess)
        let change = AccessControlChange(
            service: "bank",
            account: "ada",
            flags: .biometryCurrentSet
        )
        let item = BiometricItem(service: "bank", account: "ada")
        try phone.app.run {
            try change.run(.secret)
            #expect(try item.read(reason: "to pay") == .secret(.secret))
            #expect(phone.device.prompts.map(\.kind) == [.biometry])
            #expect(try ItemList(service: "bank").entries().map(\.account) == ["ada"])
        }
    }

    @Test func `is completed at the next launch after a crash in between`() throws {
        let phone = try Phone()
        // The journal was written, and the old item deleted; then the process ended.
        #expect(phone.addOld(.secret, service: "bank", account: "ada (journal)") == errSecSuccess)
        let change = AccessControlChange(service: "bank", account: "ada", flags: .userPresence)
        try phone.app.run {
            try change.finish()
            try change.finish()
            let item = BiometricItem(service: "bank", account: "ada")
            #expect(try item.read(reason: "to pay") == .secret(.secret))
            #expect(try ItemList(service: "bank").entries().map(\.account) == ["ada"])
        }
    }
}

@Suite(.requirement("DOC-07")) struct `A new service name` {
    let phone: Phone
    let rekey = RekeyedService(old: "OldName", new: "com.example.app")

    init() throws {
        phone = try Phone()
        #expect(phone.addOld(.secret, service: "OldName", account: "token") == errSecSuccess)
    }

    @Test func `keeps every secret, and no copy`() throws {
        try phone.app.run { () throws in
            #expect(try rekey.run(["token", "missing"]) == ["token"])
            #expect(try rekey.run(["token", "missing"]) == [])
            #expect(try KeychainStore(service: "com.example.app").read(account: "token") == .secret)
            #expect(try ItemList(service: "OldName").entries() == [])
        }
    }

    @Test func `loses nothing on a locked device`() throws {
        phone.device.lock()
        phone.app.run(.background) {
            #expect(status { _ = try rekey.run(["token"]) } == errSecInteractionNotAllowed)
        }
        try phone.unlock()
        #expect(try phone.app.run { try rekey.run(["token"]) } == ["token"])
    }
}

@Suite(.requirement("DOC-07")) struct `A bridge to another team` {
    private func serverKey() throws -> (publicKey: SecKey, privateKey: SecKey) {
        let attributes: [String: Any] = [
            kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
            kSecAttrKeySizeInBits as String: 256,
        ]
        let key = try #require(SecKeyCreateRandomKey(attributes as CFDictionary, nil))
        return (try #require(SecKeyCopyPublicKey(key)), key)
    }

    @Test func `carries the secrets, sealed, and leaves no file`() throws {
        let phone = try Phone()
        let store = KeychainStore(service: "api")
        let bridge = TeamBridge(file: phone.file("bridge"), store: store)
        let server = try serverKey()
        try phone.app.run {
            try store.save(.secret, account: "token")
            try bridge.export(["token", "missing"], for: server.publicKey)
        }
        #expect(try Data(contentsOf: bridge.file).range(of: .secret) == nil)
        let moved = phone.device.install(
            .init(bundleIdentifier: "com.example.app", teamIdentifier: "NEWTEAM123")
        )
        try moved.run { () throws in
            #expect(try store.read(account: "token") == nil)
            #expect(try bridge.importAll(with: server.privateKey) == ["token"])
            #expect(try store.read(account: "token") == .secret)
            #expect(try bridge.importAll(with: server.privateKey) == [])
        }
        #expect(!FileManager.default.fileExists(atPath: bridge.file.path))
    }

    @Test func `keeps its file if the new keychain does not take the secrets`() throws {
        let phone = try Phone()
        let store = MemoryStore()
        let bridge = TeamBridge(file: phone.file("bridge"), store: store)
        let server = try serverKey()
        store.secrets["token"] = .secret
        try phone.app.run {
            try bridge.export(["token"], for: server.publicKey)
            store.failure = errSecInteractionNotAllowed
            let arrive = { _ = try bridge.importAll(with: server.privateKey) }
            #expect(status(of: arrive) == errSecInteractionNotAllowed)
        }
        #expect(FileManager.default.fileExists(atPath: bridge.file.path))
    }
}
