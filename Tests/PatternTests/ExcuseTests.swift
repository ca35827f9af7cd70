import Foundation
import KeychainMistakes
import KeychainSimulator
import Security
import TestSupport
import Testing

@testable import KeychainPatterns

/// Runs mistaken code beside the right one.
///
/// Each test fails if the first begins to work, and if the second fails.
@Suite(.requirement("DOC-11")) struct `An excuse` {
    /// Everything in the unencrypted part of a backup.
    private static func plainBackup(of phone: Phone) throws -> Data {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("backup-" + UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        try phone.device.backup(to: folder, password: "backup")
        let apps = folder.appendingPathComponent("Apps").path
        let names = FileManager.default.enumerator(atPath: apps)?.compactMap { $0 as? String }
        return (names ?? []).reduce(into: Data()) { all, name in
            all += FileManager.default.contents(atPath: apps + "/" + name) ?? Data()
        }
    }

    @Test func `"the defaults are fine for tokens" puts the token into every backup`() throws {
        let wrong = try Phone()
        TokenInDefaults(wrong.app.defaults).save("s3cret")
        #expect(try Self.plainBackup(of: wrong).range(of: .secret) != nil)
        let right = try Phone()
        try right.app.run { try SmallKeychain(service: "api").save(.secret, account: "token") }
        #expect(try Self.plainBackup(of: right).range(of: .secret) == nil)
    }

    @Test func `"a helper simplifies things" loses the second secret unnoticed`() throws {
        let phone = try Phone()
        try phone.app.run {
            let box = SecretBox()
            box.save(.secret, named: "access token")
            box.save(.other, named: "refresh token")
            #expect(box.read(named: "refresh token") == nil)
            let keychain = SmallKeychain(service: "api")
            try keychain.save(.secret, account: "access token")
            try keychain.save(.other, account: "refresh token")
            #expect(try keychain.read(account: "refresh token") == .other)
        }
    }

    @Test func `"delete and add is simpler" loses the secret if the device locks`() throws {
        let phone = try Phone()
        let right = StoredSecret(service: "right", account: "token")
        try phone.app.run {
            #expect(DeleteThenAdd().save(.secret, account: "token") == errSecSuccess)
            try right.save(.secret)
        }
        phone.device.lock()
        phone.app.run(.background) {
            let added = DeleteThenAdd().save(.other, account: "token")
            #expect(added == errSecInteractionNotAllowed)
            #expect(status { try right.save(.other) } == errSecInteractionNotAllowed)
        }
        try phone.unlock()
        try phone.app.run { () throws in
            #expect(try StoredSecret(service: "api", account: "token").read() == nil)
            #expect(try right.read() == .secret)
        }
    }

    @Test func `"WhenUnlocked is secure enough" fails every night`() throws {
        let phone = try Phone()
        let right = BackgroundToken(service: "right", account: "refresh token")
        try phone.app.run {
            #expect(UnlockedToken().add(.secret) == errSecSuccess)
            #expect(UnlockedToken().status() == errSecSuccess)
            try right.save(.secret)
        }
        phone.device.lock()
        try phone.app.run(.background) { () throws in
            #expect(UnlockedToken().status() == errSecInteractionNotAllowed)
            #expect(try right.read() == .token(.secret))
        }
    }

    @Test func `"it works in the simulator" says nothing about a device`() throws {
        let statuses = try [SystemProfile.iOSSimulator, .iOS(26)].map { system in
            let phone = try Phone(system: system)
            let right = BackgroundToken(service: "right", account: "refresh token")
            try phone.app.run {
                #expect(UnlockedToken().add(.secret) == errSecSuccess)
                try right.save(.secret)
            }
            phone.device.lock()
            #expect(try phone.app.run(.background) { try right.read() } == .token(.secret))
            return phone.app.run(.background) { UnlockedToken().status() }
        }
        #expect(statuses == [errSecSuccess, errSecInteractionNotAllowed])
    }

    @Test func `"-25308 means that the token is damaged" deletes a sound token`() throws {
        let phone = try Phone()
        let right = DeviceSession(account: "ada")
        try phone.app.run {
            #expect(UnlockedToken().add(.secret) == errSecSuccess)
            try right.begin(with: .secret)
        }
        phone.device.lock()
        try phone.app.run(.background) { () throws in
            #expect(UnlockedToken().readOrReset() == nil)
            #expect(try right.state() == .unknownUntilUnlock)
        }
        try phone.unlock()
        try phone.app.run { () throws in
            #expect(UnlockedToken().status() == errSecItemNotFound)
            #expect(try right.state() == .signedIn(.secret))
        }
        #expect(phone.mistakes.contains("KC503"))
    }

    @Test func `"app groups for everything" is refused by the keychain`() throws {
        let phone = try Phone(
            app: .init(
                bundleIdentifier: "com.example.app",
                keychainAccessGroups: ["com.example.shared"],
                applicationGroups: ["group.com.example.shared"]
            )
        )
        try phone.app.run {
            #expect(AppGroupToken().add(.secret) == errSecMissingEntitlement)
            try SharedItem(account: "ada").save(.secret)
            #expect(try SharedItem(account: "ada").read() == .secret)
        }
    }
}

@Suite(.requirement("DOC-11")) struct `Under pressure` {
    @Test func `"the defaults for now" loses the token in the migration that follows`() throws {
        let wrong = try Phone()
        let right = try Phone()
        [wrong, right].forEach { phone in
            TokenInDefaults(phone.app.defaults).save("s3cret")
            phone.device.lock()
        }
        wrong.app.run(.background) { HastyMigration(wrong.app.defaults).run() }
        let keychain = KeychainStore(service: "api")
        let move = LegacyMove(defaults: right.app.defaults, store: keychain)
        _ = right.app.run(.background) {
            move.run(["authToken"], isProtectedDataAvailable: right.device.isProtectedDataAvailable)
        }
        try [wrong, right].forEach { phone in try phone.unlock() }
        #expect(wrong.app.defaults.string(forKey: "authToken") == nil)
        #expect(try wrong.app.run { try keychain.read(account: "authToken") } == nil)
        _ = right.app.run { move.run(["authToken"], isProtectedDataAvailable: true) }
        #expect(try right.app.run { try keychain.read(account: "authToken") } == .secret)
    }

    @Test func `"delete the item after an error" signs the user out every night`() throws {
        let wrong = try Phone()
        let right = try Phone()
        let added = [wrong, right].map { phone in phone.app.run { UnlockedToken().add(.secret) } }
        #expect(added == [errSecSuccess, errSecSuccess])
        let upgrade = AccessibilityUpgrade(service: "api")
        let outcome = try right.app.run {
            try upgrade.run(["refresh token"], isProtectedDataAvailable: true)
        }
        #expect(outcome == .finished)
        [wrong, right].forEach { phone in phone.device.lock() }
        #expect(wrong.app.run(.background) { UnlockedToken().readOrReset() } == nil)
        #expect(right.app.run(.background) { UnlockedToken().readOrReset() } == .secret)
        try [wrong, right].forEach { phone in try phone.unlock() }
        #expect(wrong.app.run { UnlockedToken().status() } == errSecItemNotFound)
        #expect(right.app.run { UnlockedToken().status() } == errSecSuccess)
    }

    @Test func `"everyone uses this wrapper" sends the secret to other devices`() throws {
        let phone = try Phone()
        let right = SmallKeychain(service: "api")
        try phone.app.run {
            #expect(PopularWrapper().set(.secret, forKey: "device key"))
            try right.save(.secret, account: "device key")
        }
        let other = try phone.restoredOnAnotherPhone()
        try other.app.run { () throws in
            #expect(PopularWrapper().get("device key") == .secret)
            #expect(try right.read(account: "device key") == nil)
        }
    }
}
