import Foundation
import KeychainSimulator
import Security
import TestSupport
import Testing

@testable import KeychainPatterns

@Suite(.requirement("DOC-07")) struct `A token that two targets share` {
    private static func target(
        _ name: String,
        team: String = "TEAMID1234",
        groups: [String] = ["com.example.shared"]
    ) -> SimulatedApp.Manifest {
        .init(bundleIdentifier: name, teamIdentifier: team, keychainAccessGroups: groups)
    }

    let item = SharedItem(account: "ada")

    @Test func `opens in the widget, on a locked screen too`() throws {
        let phone = try Phone(app: Self.target("com.example.app"))
        let widget = phone.device.install(Self.target("com.example.app.widget"))
        try phone.app.run { try item.save(.secret) }
        phone.device.lock()
        #expect(try widget.run(.widget) { try item.read() } == .secret)
    }

    @Test(arguments: [
        target("com.example.app", groups: []), target("com.example.app", team: "NEWTEAM123"),
    ])
    func `is refused to a target without the group`(manifest: SimulatedApp.Manifest) throws {
        let phone = try Phone(app: manifest)
        phone.app.run {
            #expect(status { try item.save(.secret) } == errSecMissingEntitlement)
        }
    }
}

@Suite struct `A synchronized password` {
    let password = SyncedPassword(server: "example.com", account: "ada")

    @Test func `reaches another device, and goes everywhere at once`() throws {
        let phone = try Phone()
        try phone.app.run { try password.save(.secret) }
        let other = try phone.restoredOnAnotherPhone()
        try other.app.run {
            #expect(try password.read() == .secret)
            try password.deleteEverywhere()
            #expect(try password.read() == nil)
        }
    }
}

@Suite struct `A login of a web site` {
    @Test func `is another item for another path`() throws {
        let phone = try Phone()
        let login = WebCredential(server: "example.com", account: "ada")
        let admin = WebCredential(server: "example.com", path: "/admin", account: "ada")
        try phone.app.run {
            try login.save(.secret)
            try admin.save(.other)
            #expect(try login.read() == .secret)
            #expect(try admin.read() == .other)
        }
    }

    @Test func `replaces the generic passwords of an earlier version`() throws {
        let phone = try Phone()
        ["ada", "bob"].forEach { account in
            #expect(phone.addOld(.secret, service: "example.com", account: account) == 0)
        }
        try phone.app.run { () throws in
            let move = WebCredentialMove(server: "example.com")
            #expect(try move.run() == 2)
            #expect(try move.run() == 0)
            #expect(try WebCredential(server: "example.com", account: "bob").read() == .secret)
            #expect(try ItemList(service: "example.com").entries() == [])
        }
    }

    @Test func `keeps the old item while the device is locked`() throws {
        let phone = try Phone()
        #expect(phone.addOld(.secret, service: "example.com", account: "ada") == errSecSuccess)
        phone.device.lock()
        phone.app.run(.background) {
            let move = { _ = try WebCredentialMove(server: "example.com").run() }
            #expect(status(of: move) == errSecInteractionNotAllowed)
        }
        try phone.unlock()
        #expect(try phone.app.run { try ItemList(service: "example.com").entries().count } == 1)
    }
}

@Suite(.requirement("DOC-07")) struct `An item on a Mac` {
    let item = MacItem(service: "api", account: "ada")

    @Test func `is in the data protection keychain, and not in the file`() throws {
        var behavior = BehaviorProfile.documented
        behavior.macOSKeychains = .both
        let mac = try Phone(system: .macOS(26), behavior: behavior)
        try mac.app.run {
            try item.save(.secret)
            #expect(try item.read() == .secret)
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: item.service, kSecAttrAccount as String: item.account,
                kSecMatchLimit as String: kSecMatchLimitOne,
            ]
            #expect(SecItemCopyMatching(query as CFDictionary, nil) == errSecItemNotFound)
            try item.delete()
            #expect(try item.read() == nil)
        }
    }

    @Test(arguments: [SystemProfile.iOS(26), .macOS(26), .catalyst(26), .watchOS(26)])
    func `is the same code on every system`(system: SystemProfile) throws {
        let device = try Phone(system: system)
        try device.app.run {
            try item.save(.secret)
            #expect(try item.read() == .secret)
        }
    }
}
