import Foundation
import KeychainSimulator
import Security
import TestSupport
import Testing

@testable import KeychainPatterns

@Suite(.requirement("DOC-07")) struct `Adding or updating` {
    let phone: Phone
    let item = StoredSecret(service: "api", account: "ada")

    init() throws { phone = try Phone() }

    @Test func `returns the last value that it saved`() throws {
        try phone.app.run {
            #expect(try item.read() == nil)
            try item.save(.secret)
            try item.save(.other)
            #expect(try item.read() == .other)
            try item.delete()
            #expect(try item.read() == nil)
            try item.delete()
        }
    }

    @Test func `keeps the persistent reference of the item`() throws {
        try phone.app.run {
            try item.save(.secret)
            let before = reference()
            phone.device.advance(by: .seconds(60))
            try item.save(.other)
            #expect(before != nil && reference() == before)
        }
    }

    private func reference() -> Data? {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: item.service, kSecAttrAccount as String: item.account,
            kSecMatchLimit as String: kSecMatchLimitOne,
            kSecReturnPersistentRef as String: true,
        ]
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        return status == errSecSuccess ? result as? Data : nil
    }

    @Test func `leaves other accounts of the service alone`() throws {
        try phone.app.run {
            try item.save(.secret)
            let other = StoredSecret(service: item.service, account: "bob")
            try other.save(.other)
            try other.delete()
            #expect(try item.read() == .secret)
        }
    }

    @Test func `reports a locked device, and keeps the item`() throws {
        try phone.app.run { try item.save(.secret) }
        phone.device.lock()
        phone.app.run(.background) {
            #expect(status { _ = try item.read() } == errSecInteractionNotAllowed)
        }
        try phone.unlock()
        #expect(try phone.app.run { try item.read() } == .secret)
    }

    @Test func `stays on this device`() throws {
        try phone.app.run { try item.save(.secret) }
        let other = try phone.restoredOnAnotherPhone()
        #expect(try other.app.run { try item.read() } == nil)
    }
}

@Suite(.requirement("DOC-10")) struct `The small wrapper` {
    let keychain = SmallKeychain(service: "api")

    @Test func `saves, reads and deletes`() throws {
        let phone = try Phone()
        try phone.app.run {
            #expect(try keychain.read(account: "ada") == nil)
            try keychain.save(.secret, account: "ada")
            try keychain.save(.other, account: "bob")
            try keychain.save(.other, account: "ada")
            #expect(try keychain.read(account: "ada") == .other)
            try keychain.delete(account: "ada")
            try keychain.delete(account: "ada")
            #expect(try keychain.read(account: "ada") == nil)
            #expect(try keychain.read(account: "bob") == .other)
        }
    }

    @Test func `tells a locked device from a missing item`() throws {
        let phone = try Phone()
        try phone.app.run { try keychain.save(.secret, account: "ada") }
        phone.device.lock()
        phone.app.run(.background) {
            let read = { _ = try keychain.read(account: "ada") }
            #expect(status(of: read) == errSecInteractionNotAllowed)
        }
    }

    @Test func `has fewer than 50 lines`() throws {
        let lines = try Checkout.text("Examples/Patterns/SmallKeychain.swift")
            .split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count - 1 < 50)
    }
}

@Suite(.requirement("DOC-07")) struct `A token for the background` {
    let token = BackgroundToken(service: "api", account: "refresh token")

    @Test(arguments: [SimulatedApp.Execution.notificationService, .widget, .foreground])
    func `opens on a locked device`(execution: SimulatedApp.Execution) throws {
        let phone = try Phone()
        try phone.app.run { try token.save(.secret) }
        phone.device.lock()
        #expect(try phone.app.run(execution) { try token.read() } == .token(.secret))
    }

    @Test func `waits for the first unlock after a restart`() throws {
        let phone = try Phone()
        try phone.app.run { try token.save(.secret) }
        phone.device.reboot()
        #expect(try phone.app.prewarm { try token.read() } == .tryLater)
        try phone.unlock()
        phone.device.lock()
        #expect(try phone.app.run(.background) { try token.read() } == .token(.secret))
    }

    @Test func `is missing on another device, which is a sign-in and no error`() throws {
        let phone = try Phone()
        try phone.app.run { try token.save(.secret) }
        let other = try phone.restoredOnAnotherPhone()
        #expect(try other.app.run { try token.read() } == .signedOut)
    }

    @Test func `repairs the accessibility of an older item when it is saved`() throws {
        let phone = try Phone()
        #expect(phone.addOld(.secret, service: "api", account: "refresh token") == errSecSuccess)
        try phone.app.run { try token.save(.other) }
        phone.device.lock()
        #expect(try phone.app.run(.background) { try token.read() } == .token(.other))
    }
}

@Suite struct `Work that waits for an unlock` {
    @Test func `keeps its account, and runs after the unlock`() async throws {
        let phone = try Phone()
        let item = StoredSecret(service: "api", account: "ada")
        try phone.app.run { try item.save(.secret) }
        let work = PendingWork(service: "api")
        phone.device.lock()
        try await phone.app.run(.background) { try await work.run("ada") { _ in } }
        #expect(await work.waitingAccounts == ["ada"])
        try phone.unlock()
        let seen = Seen()
        try await phone.app.run { try await work.resume { seen.add($0) } }
        #expect(seen.values == [.secret])
        #expect(await work.waitingAccounts == [])
    }

    @Test func `is an error for an account that does not exist`() async throws {
        let phone = try Phone()
        let work = PendingWork(service: "api")
        await #expect(throws: KeychainError.self) {
            try await phone.app.run { try await work.run("ada") { _ in } }
        }
    }
}

@Suite struct `A list of items` {
    @Test func `shows where they are, and opens none`() throws {
        let phone = try Phone()
        try phone.app.run {
            try StoredSecret(service: "api", account: "ada").save(.secret)
            try BackgroundToken(service: "api", account: "refresh token").save(.secret)
            let trips = phone.device.secureElementTrips
            let entries = try ItemList(service: "api").entries()
            #expect(Set(entries.map(\.account)) == ["ada", "refresh token"])
            #expect(Set(entries.map(\.group)) == ["TEAMID1234.com.example.app"])
            #expect(phone.device.secureElementTrips == trips)
            #expect(try ItemList(service: "none").entries() == [])
        }
    }
}
