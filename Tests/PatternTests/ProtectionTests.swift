import Foundation
import KeychainSimulator
import LocalAuthentication
import Security
import TestSupport
import Testing

@testable import KeychainPatterns

@Suite(.requirement("DOC-07")) struct `An item behind biometry` {
    let phone: Phone
    let item = BiometricItem(service: "bank", account: "ada")

    init() throws { phone = try Phone() }

    @Test func `opens for the owner, with a reason`() throws {
        try phone.app.run {
            try item.save(.secret)
            #expect(try item.read(reason: "to pay") == .secret(.secret))
        }
        #expect(phone.device.prompts.map(\.reason) == ["to pay"])
    }

    @Test func `asks for a sign-in after the faces changed, and is stored anew`() throws {
        try phone.app.run { try item.save(.secret) }
        try phone.device.enroll("somebody else")
        try phone.app.run {
            #expect(try item.read(reason: "to pay") == .signInNeeded)
            try item.save(.other)
            #expect(try item.read(reason: "to pay") == .secret(.other))
        }
    }

    @Test func `disappears with the passcode`() throws {
        try phone.app.run { try item.save(.secret) }
        try phone.device.removePasscode(current: "0000")
        #expect(try phone.app.run { try item.read(reason: "to pay") } == .signInNeeded)
    }

    @Test func `stays when the user cancels`() throws {
        try phone.app.run { try item.save(.secret) }
        phone.device.user.cancels = true
        #expect(try phone.app.run { try item.read(reason: "to pay") } == .tryLater)
        phone.device.user.cancels = false
        #expect(try phone.app.run { try item.read(reason: "to pay") } == .secret(.secret))
    }

    @Test func `does not open for a stranger or in the background`() throws {
        try phone.app.run { try item.save(.secret) }
        #expect(try phone.app.run(.background) { try item.read(reason: "") } == .tryLater)
        phone.device.user = SimulatedUser(biometric: "stranger", passcode: "0000")
        #expect(try phone.app.run { try item.read(reason: "to pay") } == .signInNeeded)
    }

    @Test func `is missing on another device`() throws {
        try phone.app.run { try item.save(.secret) }
        let other = try phone.restoredOnAnotherPhone()
        #expect(try other.app.run { try item.read(reason: "to pay") } == .signInNeeded)
    }
}

@Suite(.requirement("DOC-07")) struct `Two items for one session` {
    let phone: Phone
    let session = DualItem(account: "ada")

    init() throws {
        phone = try Phone()
        let session = session
        try phone.app.run { try session.save(refreshToken: .secret, paymentKey: .other) }
    }

    @Test func `give the background its token without a prompt`() throws {
        phone.device.lock()
        #expect(try phone.app.run(.background) { try session.refreshToken() } == .secret)
        #expect(phone.device.prompts == [])
    }

    @Test func `give the foreground its key after a prompt`() throws {
        #expect(try phone.app.run { try session.paymentKey(reason: "to pay") } == .other)
        #expect(phone.device.prompts.map(\.kind) == [.biometry])
        phone.app.run(.background) {
            let read = { _ = try session.paymentKey(reason: "to pay") }
            #expect(status(of: read) == errSecInteractionNotAllowed)
        }
    }

    @Test func `are replaced by the next sign-in`() throws {
        try phone.app.run {
            try session.save(refreshToken: .other, paymentKey: .secret)
            #expect(try session.refreshToken() == .other)
            #expect(try session.paymentKey(reason: "to pay") == .secret)
        }
    }

    @Test func `keep the token when the faces change`() throws {
        try phone.device.enroll("somebody else")
        phone.device.user.biometric = "somebody else"
        #expect(try phone.app.run { try session.refreshToken() } == .secret)
        // The passcode still opens the key: that half of the constraint did not change.
        #expect(try phone.app.run { try session.paymentKey(reason: "to pay") } == .other)
        #expect(phone.device.prompts.map(\.kind) == [.passcode])
    }
}

@Suite struct `A password that needs presence` {
    let password = BankPassword(server: "bank.example.com", account: "ada")

    @Test func `opens with the passcode on a device without biometry`() throws {
        let phone = try Phone()
        phone.device.user.biometric = nil
        try phone.app.run { try password.save(.secret) }
        phone.device.user = SimulatedUser(passcode: "0000")
        #expect(throws: Never.self) { try phone.device.removeEnrollment("owner") }
        #expect(try phone.app.run { try password.read(reason: "to log in") } == .secret)
        #expect(phone.device.prompts.map(\.kind) == [.passcode])
    }

    @Test func `keeps its access control when it is saved again`() throws {
        let phone = try Phone()
        try phone.app.run {
            try password.save(.secret)
            try password.save(.other)
            phone.device.removePrompts()
            #expect(try password.read(reason: "to log in") == .other)
        }
        #expect(phone.device.prompts.map(\.kind) == [.biometry])
    }
}

@Suite struct `The way on without biometry` {
    @Test func `is biometry while it works`() throws {
        let phone = try Phone()
        #expect(phone.app.run { BiometryFallback().nextStep() } == .askForBiometry)
    }

    @Test func `is the passcode when nobody is enrolled`() throws {
        let phone = try Phone()
        try phone.device.removeEnrollment("owner")
        #expect(phone.app.run { BiometryFallback().nextStep() } == .askForPasscode)
    }

    @Test func `is the passcode when biometry is locked out`() throws {
        let phone = try Phone()
        let item = BiometricItem(service: "bank", account: "ada")
        try phone.app.run { try item.save(.secret) }
        phone.device.user.biometric = "stranger"
        try phone.app.run {
            try (1...5).forEach { _ in _ = try item.read(reason: "to pay") }
            #expect(BiometryFallback().nextStep() == .askForPasscode)
        }
    }

    @Test func `is a sign-in on a device without a passcode`() throws {
        let phone = try Phone(passcode: nil)
        #expect(phone.app.run { BiometryFallback().nextStep() } == .signIn)
    }
}

@Suite struct `A vault with its own password` {
    let vault = VaultItem(service: "vault", account: "ada")

    @Test func `opens with the right password only`() throws {
        let phone = try Phone()
        try phone.app.run {
            #expect(try vault.open(password: Data("open".utf8)) == nil)
            try vault.create(.secret, password: Data("open".utf8))
            #expect(try vault.open(password: Data("open".utf8)) == .secret)
            #expect(status { _ = try vault.open(password: Data("no".utf8)) } == errSecAuthFailed)
        }
    }

    @Test func `is not overwritten by a second one`() throws {
        let phone = try Phone()
        try phone.app.run {
            try vault.create(.secret, password: Data("open".utf8))
            let again = { try vault.create(.other, password: Data("other".utf8)) }
            #expect(status(of: again) == errSecDuplicateItem)
            #expect(try vault.open(password: Data("open".utf8)) == .secret)
        }
    }
}

@Suite struct `An item that needs a passcode on the device` {
    let item = PasscodeBoundItem(service: "health", account: "ada")

    @Test func `is destroyed with the passcode`() throws {
        let phone = try Phone()
        try phone.app.run { () throws in
            #expect(try item.save(.secret) == .stored)
            #expect(try item.read() == .secret)
        }
        try phone.device.removePasscode(current: "0000")
        try phone.device.setPasscode("1111", current: nil)
        #expect(try phone.app.run { try item.read() } == nil)
    }

    @Test func `is refused while locked, which is no missing passcode`() throws {
        let phone = try Phone()
        phone.device.lock()
        #expect(throws: KeychainError.self) { try phone.app.run { try item.save(.secret) } }
    }

    @Test func `has no place on a device without a passcode`() throws {
        let phone = try Phone(passcode: nil)
        #expect(try phone.app.run { try item.save(.secret) } == .passcodeNeeded)
    }
}

@Suite struct `A session of one device` {
    let session = DeviceSession(account: "ada")

    @Test func `leads to a sign-in on another device`() throws {
        let phone = try Phone()
        try phone.app.run { try session.begin(with: .secret) }
        #expect(try phone.app.run { try session.state() } == .signedIn(.secret))
        let other = try phone.restoredOnAnotherPhone()
        #expect(try other.app.run { try session.state() } == .signInNeeded)
    }

    @Test func `is unknown before the unlock, and not over`() throws {
        let phone = try Phone()
        try phone.app.run { try session.begin(with: .secret) }
        phone.device.reboot()
        #expect(try phone.app.prewarm { try session.state() } == .unknownUntilUnlock)
        try phone.unlock()
        #expect(try phone.app.run { try session.state() } == .signedIn(.secret))
    }
}
