import KeychainServices
import KeychainSimulator
import TestSupport
import Testing
import VaultTesting

@testable import Vault

@Suite(.device()) struct `A rotation` {
    let vault = Vault()

    init() throws {}

    @Test(.requirement("VLT-06")) func `keeps the old secret until it is confirmed`() throws {
        try vault.save("old", in: .token)
        let rotation = try vault.rotate(.token, to: "new")
        #expect(try vault.text(.token) == "old")
        #expect(try rotation.newValue(as: String.self) == "new")
        try rotation.confirm()
        #expect(try vault.text(.token) == "new")
        #expect(try vault.pendingRotation(of: .token) == nil)
        #expect(failure { try rotation.confirm() }?.reason == .notFound)
    }

    @Test func `is forgotten when it is canceled`() throws {
        try vault.save("old", in: .token)
        let rotation = try vault.rotate(.token, to: "new")
        try rotation.cancel()
        #expect(try vault.text(.token) == "old")
        #expect(failure { _ = try rotation.newValue(as: String.self) }?.reason == .notFound)
        _ = try vault.rotate(.token, to: "newer")
    }

    @Test func `waits alone`() throws {
        try vault.save("old", in: .token)
        _ = try vault.rotate(.token, to: "new")
        #expect(failure { _ = try vault.rotate(.token, to: "newer") }?.reason == .duplicate)
        #expect(try vault.pendingRotation(of: .pin) == nil)
    }

    @Test func `needs an old secret, and no constraint`() throws {
        #expect(failure { _ = try vault.rotate(.token, to: "new") }?.reason == .notFound)
        try vault.save("key", in: .diary)
        #expect(failure { _ = try vault.rotate(.diary, to: "new") }?.reason == .invalid)
    }

    @Test func `of a login shows nothing to AutoFill`() throws {
        let login = WebLogin(server: "example.com", account: "ada")
        try vault.save("old", in: login)
        let rotation = try vault.rotate(login, to: "new")
        #expect(try vault.list(.webLogins()).count == 1)
        try rotation.confirm()
        #expect(try vault.text(login) == "new")
    }

    /// The calls of a beginning and a confirmation, in a vault that names no group.
    static let callCount = 7

    @Test func `makes as many calls as the test of its interruption counts`() throws {
        try vault.save("old", in: .token)
        let process = DyingProcess(callsLeft: .max)
        try Vault(calls: process.calls).rotate(.token, to: "new").confirm()
        #expect(process.count == Self.callCount)
    }

    @Test(.requirement("VLT-06"), arguments: 0..<callCount)
    func `loses neither secret in a kill at any call`(limit: Int) throws {
        try vault.save("old", in: .token)
        let process = DyingProcess(callsLeft: limit)
        _ = failure { try Vault(calls: process.calls).rotate(.token, to: "new").confirm() }
        let text = try vault.text(.token)
        let rotation = try vault.pendingRotation(of: .token)
        // The new secret is there from the moment in which the rotation waits.
        #expect(text == (limit < 6 ? "old" : "new"))
        #expect(try rotation?.newValue(as: String.self) == (limit < 3 ? nil : "new"))
        try rotation?.confirm()
        #expect(try vault.text(.token) == (limit < 3 ? "old" : "new"))
        #expect(try vault.pendingRotation(of: .token) == nil)
    }
}
