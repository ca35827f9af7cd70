import FileProtection
import Foundation
import KeychainMigration
import KeychainSimulator
import LocalAuthentication
import Security
import Testing

// What the articles of the DocC catalogues show, line by line. Another test compares the two.

@Suite struct `An example of an article` {
    private let phone: SimulatedDevice
    private let app: SimulatedApp
    private let query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "api", kSecAttrAccount as String: "refresh-token",
    ]

    init() throws {
        phone = try SimulatedDevice(passcode: "0000")
        app = phone.install(.init(bundleIdentifier: "com.example.app"))
    }

    private func add(_ values: [CFString: Any]) -> OSStatus {
        let named = Dictionary(uniqueKeysWithValues: values.map { ($0.key as String, $0.value) })
        let item = query.merging([kSecValueData as String: Data("t0ken".utf8)]) { $1 }
        return SecItemAdd(item.merging(named) { $1 } as CFDictionary, nil)
    }

    @Test func `names the accessibility`() {
        let status = app.run {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "api",
                kSecAttrAccount as String: "refresh-token",
                kSecAttrAccessible as String:
                    kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
                kSecValueData as String: Data("t0ken".utf8),
            ]
            let status = SecItemAdd(item as CFDictionary, nil)
            return status
        }
        #expect(status == errSecSuccess)
        #expect(phone.findings.isEmpty)
    }

    @Test func `goes through the lock states`() throws {
        let isAdded = app.run { add([kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked]) }
        #expect(isAdded == errSecSuccess)
        let read = { SecItemCopyMatching(query as CFDictionary, nil) }

        phone.reboot()  // before the first unlock
        #expect(app.run(.background) { read() } == errSecInteractionNotAllowed)
        try phone.unlock(passcode: "0000")  // unlocked
        #expect(app.run { read() } == errSecSuccess)
        phone.lock()  // locked
        #expect(app.run(.background) { read() } == errSecInteractionNotAllowed)
    }

    @Test func `prompts for an item with an access control`() {
        let control = SecAccessControlCreateWithFlags(
            nil,
            kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
            .userPresence,
            nil
        )
        let item = query.merging([
            kSecAttrAccessControl as String: control as Any,
            kSecValueData as String: Data("t0ken".utf8),
        ]) { $1 }
        #expect(app.run { SecItemAdd(item as CFDictionary, nil) } == errSecSuccess)

        let search = query.merging([kSecReturnData as String: true]) { $1 }
        let read = { SecItemCopyMatching(search as CFDictionary, nil) }
        phone.user.passcode = "0000"
        #expect(app.run { read() } == errSecSuccess)
        phone.user.cancels = true
        #expect(app.run { read() } == errSecUserCanceled)
    }

    @Test func `shares an item between two apps`() throws {
        let phone = try SimulatedDevice(passcode: "0000")
        let apps = ["com.example.app", "com.example.app.widget"].map {
            phone.install(
                .init(
                    bundleIdentifier: $0,
                    teamIdentifier: "TEAMID1234",
                    keychainAccessGroups: ["com.example.shared"]
                )
            )
        }
        let shared = query.merging([
            kSecAttrAccessGroup as String: "TEAMID1234.com.example.shared"
        ]) { $1 }
        let item = shared.merging([kSecValueData as String: Data("t0ken".utf8)]) { $1 }
        #expect(apps[0].run { SecItemAdd(item as CFDictionary, nil) } == errSecSuccess)
        #expect(apps[1].run { SecItemCopyMatching(shared as CFDictionary, nil) } == errSecSuccess)
    }

    @Test func `finds a mistake`() {
        #expect(app.run { add([:]) } == errSecSuccess)
        phone.lock()
        _ = app.run(.background) { SecItemCopyMatching(query as CFDictionary, nil) }
        print(phone.findings.map(\.rule))  // ["missing-accessible", …]
        #expect(phone.findings.contains { $0.rule == "missing-accessible" })
    }

    private static func deleteToken() -> OSStatus {
        let token: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "api", kSecAttrAccount as String: "refresh-token",
        ]
        return SecItemDelete(token as CFDictionary)
    }

    @Test func `takes the app along to another queue`() async {
        #expect(app.run { add([:]) } == errSecSuccess)
        let status = await withCheckedContinuation { continuation in
            let signOut = { @Sendable in continuation.resume(returning: Self.deleteToken()) }
            DispatchQueue.global().async(execute: app.carrying { signOut() })
        }
        #expect(status == errSecSuccess)
    }

    @Test func `moves a token out of a settings file`() throws {
        let settings = app.container.appending(path: "settings.plist")
        try PropertyListEncoder().encode(["session": ["token": "t0ken"]]).write(to: settings)
        let journal = app.container.appending(path: "journal")
        try app.run { () throws in
            let old = PropertyListSource(file: PlainFile(settings))
            let mover = Mover(journal: FileJournal(file: journal))
            let token = ItemAddress.genericPassword(service: "api", account: "token")
            let moves = [Move("session.token", from: old, to: token)]
            print(mover.run(moves, isDryRun: true))  // names and places, never a value
            print(mover.run(moves))  // writes, reads back, and only then deletes
            #expect(try ServicesKeychain().exists(token))
        }
    }

    @Test func `protects a file`() throws {
        let url = app.container.appending(path: "diary")
        let text = Data("Dear diary".utf8)
        try app.run {
            try text.write(toProtectedFile: url, options: .completeFileProtection)
            #expect(try Data(contentsOfProtectedFile: url) == text)
        }
        phone.lock()
        #expect(throws: CocoaError.self) {
            try app.run(.background) { try Data(contentsOfProtectedFile: url) }
        }
    }

    @Test func `asks for the owner of the device`() async throws {
        phone.user.passcode = "0000"
        let isOwner = try await app.run {
            let context = LAContext()
            return try await context.evaluatePolicy(
                .deviceOwnerAuthentication,
                localizedReason: "Show the recovery key"
            )
        }
        #expect(isOwner)
    }
}
