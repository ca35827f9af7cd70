import Cryptography
import EngineTestSupport
import KeychainModel
import ModelTestSupport
import TestSupport
import Testing

@testable import PKCS11Token

@Suite struct `An operation of a token that is locked meanwhile` {
    private static let ecdsa = MechanismCall(0x1041)
    private static let rsa = MechanismCall(1)
    private static let digest = [UInt8](repeating: 5, count: 32)

    /// Ends the operation that a fixture has begun.
    private typealias End = (TokenFixture) throws -> Output

    private static func sign(_ fixture: TokenFixture) throws -> Output {
        try digest.withUnsafeBytes { bytes in
            try fixture.module.finish(.sign, in: fixture.session, bytes, capacity: 64)
        }
    }

    private static func expectEnd(
        _ kind: OperationKind,
        _ code: ReturnCode,
        _ fixture: TokenFixture,
        _ end: End
    ) {
        #expect(throws: code) { _ = try end(fixture) }
        #expect(throws: ReturnCode.operationNotInitialized, "\(kind) went on") {
            _ = try end(fixture)
        }
    }

    @Test(arguments: [true, false])
    func `does not sign`(isToken: Bool) throws {
        let fixture = try TokenFixture()
        let key = try fixture.pair(isToken: isToken).privateKey
        try fixture.module.begin(.sign, in: fixture.session, Self.ecdsa, key: key)
        try fixture.lock()
        Self.expectEnd(.sign, .userNotLoggedIn, fixture, Self.sign)
        try fixture.engine.unlock()
        #expect(try fixture.sign(key, Self.ecdsa, Self.digest).count == 64)
    }

    @Test
    func `does not sign what came in parts`() throws {
        let fixture = try TokenFixture()
        let key = try fixture.pair().privateKey
        try fixture.module.begin(.sign, in: fixture.session, MechanismCall(0x1044), key: key)
        try Self.digest.withUnsafeBytes {
            try fixture.module.update(.sign, in: fixture.session, $0)
        }
        try fixture.lock()
        Self.expectEnd(.sign, .userNotLoggedIn, fixture) { fixture in
            try fixture.module.finish(.sign, in: fixture.session, nil, capacity: 64)
        }
    }

    /// Also plaintext that waits for a larger buffer.
    @Test(arguments: [false, true], [true, false])
    func `does not decrypt`(isWaiting: Bool, isToken: Bool) throws {
        let fixture = try TokenFixture()
        let module = fixture.module
        let pair = try fixture.pair(0, curve: nil, isToken: isToken)
        try module.begin(.encrypt, in: fixture.session, Self.rsa, key: pair.publicKey)
        let encrypted = try Self.digest.withUnsafeBytes { bytes in
            try module.transform(.encrypt, in: fixture.session, bytes, capacity: 256).bytes
        }
        let ciphertext = try #require(encrypted)
        let decrypt = { (capacity: Int) in
            try ciphertext.withUnsafeBytes { bytes in
                try module.transform(.decrypt, in: fixture.session, bytes, capacity: capacity)
            }
        }
        try module.begin(.decrypt, in: fixture.session, Self.rsa, key: pair.privateKey)
        if isWaiting { #expect(try decrypt(1).size == 32) }
        try fixture.lock()
        Self.expectEnd(.decrypt, .userNotLoggedIn, fixture) { _ in try decrypt(256) }
    }

    @Test
    func `signs with a key that the first unlock opens for good`() throws {
        let fixture = try TokenFixture()
        let key = try fixture.pair().privateKey
        var query: AttributeDictionary = .of(.key)
        query[.keyClass] = .number(1)
        let changes: AttributeDictionary = [.accessible: .string(.afterFirstUnlock)]
        #expect(fixture.engine.keychain.status(.update(query, with: changes)) == .success)
        try fixture.module.begin(.sign, in: fixture.session, Self.ecdsa, key: key)
        try fixture.lock()
        #expect(try Self.sign(fixture).bytes?.count == 64)
    }

    @Test
    func `does not sign with a key that is gone`() throws {
        let fixture = try TokenFixture()
        let key = try fixture.pair().privateKey
        try fixture.module.begin(.sign, in: fixture.session, Self.ecdsa, key: key)
        var query: AttributeDictionary = .of(.key)
        query[.keyClass] = .number(1)
        #expect(fixture.engine.keychain.delete(query) == .success)
        Self.expectEnd(.sign, .keyHandleInvalid, fixture, Self.sign)
    }

    @Test
    func `reads its key once, at its end`() throws {
        let fixture = try TokenFixture()
        let key = try fixture.pair().privateKey
        let before = fixture.requestCount
        try fixture.module.begin(.sign, in: fixture.session, Self.ecdsa, key: key)
        _ = try fixture.module.finish(.sign, in: fixture.session, nil, capacity: nil)
        #expect(fixture.requestCount == before)
        _ = try Self.sign(fixture)
        #expect(fixture.requestCount == before + 1)
    }
}

@Suite struct `Private objects of a session` {
    private static let privateKeys: [(AttributeType, [UInt8])] = [
        (.objectClass, Encoding.number(ObjectClass.privateKey.rawValue))
    ]
    private static let ecdsa = MechanismCall(0x1041)

    @Test
    func `are hidden while the keychain is locked`() throws {
        let fixture = try TokenFixture()
        let pair = try fixture.pair(isToken: false)
        #expect(try fixture.bytes(pair.privateKey, .isPrivate) == [1])
        #expect(try fixture.find([]).sorted() == [pair.publicKey, pair.privateKey].sorted())
        try fixture.lock()
        #expect(try fixture.find([]) == [pair.publicKey])
        #expect(throws: ReturnCode.userNotLoggedIn) {
            _ = try fixture.bytes(pair.privateKey, .label)
        }
        #expect(throws: ReturnCode.userNotLoggedIn) {
            let template = try Template([(.label, [1])])
            try fixture.module.setAttributes(fixture.session, of: pair.privateKey, template)
        }
        #expect(throws: ReturnCode.userNotLoggedIn) {
            _ = try fixture.sign(pair.privateKey, Self.ecdsa, [1])
        }
        #expect(throws: ReturnCode.userNotLoggedIn) { _ = try fixture.pair(isToken: false) }
        try fixture.engine.unlock()
        #expect(try fixture.find(Self.privateKeys) == [pair.privateKey])
    }

    @Test
    func `are hidden after the logout`() throws {
        let fixture = try TokenFixture()
        let pair = try fixture.pair(isToken: false)
        try fixture.module.logout(fixture.session)
        #expect(try fixture.find([]) == [pair.publicKey])
        #expect(throws: ReturnCode.objectHandleInvalid) {
            _ = try fixture.bytes(pair.privateKey, .label)
        }
        #expect(throws: ReturnCode.keyHandleInvalid) {
            _ = try fixture.sign(pair.privateKey, Self.ecdsa, [1])
        }
        #expect(throws: ReturnCode.userNotLoggedIn) { _ = try fixture.pair(isToken: false) }
    }

    @Test(arguments: [(AttributeType.sensitive, [UInt8(1)]), (.extractable, [0])])
    func `keep a derived secret that may not be read`(type: AttributeType, value: [UInt8]) throws {
        let fixture = try TokenFixture()
        let own = try fixture.pair().privateKey
        let other = try PrivateKey.generate(.ellipticCurve(.p256)).publicKey
        let call = MechanismCall(
            0x1050,
            .agreement(derivation: 1, shared: [], publicKey: other.externalRepresentation)
        )
        let template = try Template([(type, value), (.isPrivate, [1])])
        let handle = try fixture.module.deriveKey(fixture.session, call, base: own, template)
        let reply = try fixture.module.attributes(fixture.session, of: handle, [.value])[0]
        guard case .sensitive = reply else {
            Issue.record("the value left the token")
            return
        }
        #expect(try fixture.bytes(handle, type) == value)
        #expect(try fixture.bytes(handle, .valueLength) == Encoding.number(32))
        try fixture.lock()
        #expect(throws: ReturnCode.userNotLoggedIn) { _ = try fixture.bytes(handle, .label) }
    }
}
