import Foundation
import KeychainSimulator
import TestSupport
import Testing
import Vault
import VaultTesting

@Suite(.device()) struct `A key` {
    let vault = Vault()
    let message = Data("order 7".utf8)

    @Test(arguments: [Key.Kind.p256, .p384, .rsa2048])
    func `signs what its public half verifies`(kind: Key.Kind) throws {
        let key = try vault.make(Key(tag: "signer", kind: kind))
        let signature = try key.signature(for: message)
        let half = try key.publicKey
        try half.verify(signature, for: message)
        #expect(throws: VaultError.self) { try half.verify(signature, for: Data("8".utf8)) }
        #expect(try !half.bytes.isEmpty)
    }

    @Test func `is made once and found again`() throws {
        let signer = Key(tag: "signer", kind: .p256)
        #expect(try vault.read(signer) == nil)
        let first = try vault.readOrMake(signer).publicKey.bytes
        #expect(try vault.readOrMake(signer).publicKey.bytes == first)
        #expect(failure { try vault.make(signer) }?.reason == .duplicate)
        #expect(try vault.delete(signer) == .deleted)
        #expect(try vault.delete(signer) == .wasAbsent)
        #expect(try vault.readOrMake(signer).publicKey.bytes != first)
    }

    @Test func `of another kind is not taken for it`() throws {
        let signer = Key(tag: "signer", kind: .p256)
        try vault.make(signer)
        let other = Key(tag: "signer", kind: .p384)
        #expect(failure { _ = try vault.readOrMake(other) }?.reason == .undecodable)
        #expect(failure { try vault.make(other) }?.reason == .duplicate)
        #expect(try vault.read(signer) != nil)
    }

    @Test func `of the Secure Enclave signs, and stays there after a restore`() throws {
        let signer = Key.inSecureEnclave(tag: "bound")
        let key = try vault.make(signer)
        try key.publicKey.verify(try key.signature(for: message), for: message)
        let new = try TestDevice.current.restoredOnAnotherDevice()
        #expect(try new.app.run { try Vault().read(signer) } == nil)
    }

    @Test func `with a constraint signs after the approval only`() async throws {
        let signer = Key.inSecureEnclave(tag: "bound", constraint: .userPresence)
        let half = try vault.make(signer).publicKey
        let error = failure { _ = try vault.read(signer)?.signature(for: message) }
        #expect(error?.reason == .approvalNeeded)
        #expect(error?.sort == .key)
        let approval = Approval(reason: "Sign the order")
        let signature = try await vault.signature(for: message, with: signer, approval: approval)
        try half.verify(signature, for: message)
    }

    @Test func `is out of reach while the device is locked`() throws {
        let signer = Key(tag: "signer", kind: .p256)
        try vault.make(signer)
        try TestDevice.current.device.lock()
        let error = failure { _ = try vault.read(signer)?.signature(for: message) }
        #expect(error?.reason == .locked && error?.sort == .key)
    }
}

@Suite(.device()) struct `A certificate` {
    let vault = Vault()

    @Test func `is stored, listed and deleted`() throws {
        let certificate = try Certificate(der: ExampleFiles.certificate, label: "Example")
        try vault.save(certificate)
        try vault.save(certificate)
        let found = try vault.list(.certificates())
        #expect(found.map(\.item) == [certificate])
        #expect(found.first?.item.summary == "example")
        #expect(try vault.list(.certificates(label: "Other")).isEmpty)
        #expect(try vault.delete(certificate) == .deleted)
        #expect(try vault.delete(certificate) == .wasAbsent)
    }

    @Test func `is not made of other bytes`() {
        let error = failure { _ = try Certificate(der: Data("no".utf8)) }
        #expect(error?.reason == .undecodable && error?.sort == .certificate)
        // A name of a foreign file writes no line of its own into a log.
        let named = failure { _ = try Certificate(der: Data("no".utf8), label: "a\nb\u{1B}[2J") }
        #expect(named?.item == "a\\u{a}b\\u{1b}[2J")
    }
}

@Suite(.device()) struct `An identity` {
    let vault = Vault()

    @Test func `comes from a file, and signs`() throws {
        let made = try vault.importIdentities(
            pkcs12: ExampleFiles.identity,
            passphrase: Secret(copying: "open")
        )
        try vault.importIdentities(
            pkcs12: ExampleFiles.identity,
            passphrase: Secret(copying: "open")
        )
        let identity = try #require(made.first)
        let found = try #require(try vault.identities().first)
        #expect(try vault.identities().count == 1)
        #expect(found.certificate == identity.certificate)
        let message = Data("hello".utf8)
        let signature = try found.privateKey.signature(for: message)
        try identity.privateKey.publicKey.verify(signature, for: message)
    }

    @Test func `needs the right passphrase and a whole file`() {
        let wrong = failure {
            _ = try vault.importIdentities(
                pkcs12: ExampleFiles.identity,
                passphrase: Secret(copying: "shut")
            )
        }
        #expect(wrong?.reason == .notApproved && wrong?.sort == .identity)
        let cut = failure {
            _ = try vault.importIdentities(
                pkcs12: ExampleFiles.identity.dropLast(),
                passphrase: Secret(copying: "open")
            )
        }
        #expect(cut?.reason == .undecodable)
    }
}
