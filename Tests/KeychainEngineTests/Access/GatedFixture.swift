import DataProtection
import EngineTestSupport
import KeychainEngine
import KeychainHost
import KeychainModel
import ModelTestSupport
import Secrets

/// Answers every prompt at once: the owner's face, and the fixture's passcode.
struct OwnerPrompter: Prompter {
    static let face = [UInt8]("owner".utf8)
    var passcode: @Sendable () -> SharedSecret = { EngineFixture.secret(EngineFixture.passcode) }
    var password: @Sendable () -> SharedSecret = { EngineFixture.secret("application") }

    func answer(_ prompt: Prompt) -> PromptAnswer {
        switch prompt.kind {
        case .biometry: .presented(Self.face)
        case .passcode: .typed(passcode())
        case .companion: .approved
        case .applicationPassword, .newApplicationPassword: .typed(password())
        }
    }
}

extension EngineFixture {
    /// An engine with an enrolled owner, whose device was just unlocked.
    static func owned(behavior: BehaviorProfile = .documented) throws -> EngineFixture {
        let fixture = try EngineFixture(
            behavior: behavior,
            surroundings: Surroundings(biometry: .faceID, hasCompanion: true)
        )
        try fixture.engine.enroll(OwnerPrompter.face)
        try fixture.unlock()
        return fixture
    }

    /// The engine for a program in front of its owner.
    func attended(_ prompter: OwnerPrompter = OwnerPrompter()) -> TestKeychain {
        TestKeychain(
            EngineEndpoint(
                engine: engine,
                caller: TestKeychain.caller(Self.groups),
                prompter: prompter,
                note: { _ in }
            )
        )
    }
}

extension AttributeDictionary {
    /// The item behind an access control.
    func gated(_ flags: AccessControl.Flags) -> AttributeDictionary {
        var item = self
        item[.accessControl] = .accessControl(
            AccessControl(protection: .whenUnlocked, flags: flags)
        )
        return item
    }
}
