import EngineTestSupport
import KeychainModel
import TestSupport
import Testing

@testable import PKCS11Token

@Suite struct `Logging in to a token` {
    private static let privateKeys: [(AttributeType, [UInt8])] = [
        (.objectClass, Encoding.number(ObjectClass.privateKey.rawValue))
    ]

    @Test(.requirement("P11-03"))
    func `unlocks the keychain with its passcode`() throws {
        let fixture = try TokenFixture()
        let key = try fixture.pair().privateKey
        try fixture.lock()
        #expect(try fixture.module.session(fixture.session).state == .readWritePublic)
        #expect(try fixture.module.token(0).flags & Flags.loginRequired != 0)
        #expect(try fixture.find(Self.privateKeys) == [])
        #expect(throws: ReturnCode.userNotLoggedIn) { _ = try fixture.bytes(key, .label) }
        #expect(throws: ReturnCode.userNotLoggedIn) {
            _ = try fixture.sign(key, MechanismCall(0x1041), [1])
        }
        let passcode = EngineFixture.secret(EngineFixture.passcode)
        try fixture.module.login(fixture.session, userType: 1, passcode: passcode)
        #expect(try fixture.module.session(fixture.session).state == .readWriteUser)
        #expect(try fixture.module.token(0).flags & Flags.loginRequired == 0)
        #expect(try fixture.find(Self.privateKeys) == [key])
        #expect(try fixture.sign(key, MechanismCall(0x1041), [1]).count == 64)
        #expect(throws: ReturnCode.userAlreadyLoggedIn) {
            try fixture.module.login(fixture.session, userType: 1, passcode: passcode)
        }
        // Whoever locks the keychain ends the login.
        try fixture.lock()
        try fixture.module.login(fixture.session, userType: 1, passcode: passcode)
    }

    @Test(.requirement("P11-03"))
    func `refuses a wrong passcode, and then waits`() throws {
        let fixture = try TokenFixture(isUnlocked: false)
        let wrong = EngineFixture.secret("wrong")
        var codes: [ReturnCode] = []
        for _ in 0..<12 {
            do throws(ReturnCode) {
                try fixture.module.login(fixture.session, userType: 1, passcode: wrong)
            } catch { codes.append(error) }
        }
        #expect(codes.first == .pinIncorrect)
        #expect(codes.last == .pinLocked)
        #expect(try fixture.module.token(0).flags & Flags.userPinLocked != 0)
        #expect(try fixture.module.token(0).flags & Flags.userPinCountLow != 0)
    }

    @Test(.requirement("P11-03"))
    func `asks a person where the program gives no passcode`() throws {
        let fixture = try TokenFixture(isUnlocked: false, asked: EngineFixture.passcode)
        #expect(try fixture.module.token(0).flags & Flags.protectedAuthenticationPath != 0)
        try fixture.module.login(fixture.session, userType: 1, passcode: nil)
        #expect(try fixture.module.session(fixture.session).state == .readWriteUser)
    }

    @Test
    func `needs a passcode where nobody can be asked`() throws {
        let fixture = try TokenFixture(isUnlocked: false)
        #expect(try fixture.module.token(0).flags & Flags.protectedAuthenticationPath == 0)
        #expect(throws: ReturnCode.argumentsBad) {
            try fixture.module.login(fixture.session, userType: 1, passcode: nil)
        }
    }

    @Test(.requirement("P11-03"))
    func `is not required where there is no passcode`() throws {
        let fixture = try TokenFixture(passcode: nil)
        let flags = try fixture.module.token(0).flags
        #expect(flags & (Flags.loginRequired | Flags.userPinInitialized) == 0)
        #expect(try fixture.module.session(fixture.session).state == .readWriteUser)
        #expect(throws: ReturnCode.userPinNotInitialized) {
            let passcode = EngineFixture.secret("1234")
            try fixture.module.login(fixture.session, userType: 1, passcode: passcode)
        }
        #expect(throws: ReturnCode.userNotLoggedIn) { try fixture.module.logout(fixture.session) }
    }

    @Test(.requirement("P11-03"))
    func `ends for this program alone`() throws {
        let fixture = try TokenFixture()
        let key = try fixture.pair().privateKey
        try fixture.module.begin(.sign, in: fixture.session, MechanismCall(0x1041), key: key)
        try fixture.module.logout(fixture.session)
        #expect(try fixture.find(Self.privateKeys) == [])
        #expect(throws: ReturnCode.objectHandleInvalid) { _ = try fixture.bytes(key, .label) }
        #expect(throws: ReturnCode.operationNotInitialized) {
            _ = try fixture.module.finish(.sign, in: fixture.session, nil, capacity: 64)
        }
        #expect(throws: ReturnCode.userNotLoggedIn) { _ = try fixture.pair(identifier: [8]) }
        #expect(throws: ReturnCode.userNotLoggedIn) { try fixture.module.logout(fixture.session) }
        // The keychain is unlocked as before.
        #expect(fixture.engine.keychain.add(password()) == .success)
        // The last session of the slot ends the state.
        try fixture.module.closeSession(fixture.session)
        let next = try fixture.module.openSession(slot: 0, flags: Flags.serialSession)
        #expect(try fixture.module.session(next).state == .readOnlyUser)
    }

    @Test(arguments: [
        (UInt(0), ReturnCode.userTypeInvalid), (2, .operationNotInitialized),
        (.max, .userTypeInvalid),
    ])
    func `knows one user`(type: UInt, code: ReturnCode) throws {
        let fixture = try TokenFixture(isUnlocked: false)
        #expect(throws: code) {
            try fixture.module.login(fixture.session, userType: type, passcode: nil)
        }
    }

    @Test(arguments: [0, TokenModule.passcodeByteCountLimit + 1])
    func `refuses a passcode of an impossible size`(byteCount: Int) throws {
        let fixture = try TokenFixture(isUnlocked: false)
        let passcode = EngineFixture.secret(String(repeating: "a", count: byteCount))
        #expect(throws: ReturnCode.pinLengthRange) {
            try fixture.module.login(fixture.session, userType: 1, passcode: passcode)
        }
    }
}
