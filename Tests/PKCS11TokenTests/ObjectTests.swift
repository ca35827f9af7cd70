import Cryptography
import EngineTestSupport
import KeychainMessages
import KeychainModel
import ModelTestSupport
import TestSupport
import Testing

@testable import PKCS11Token

@Suite struct `Objects of a token` {
    @Test
    func `are ordinary items`() throws {
        let fixture = try TokenFixture()
        _ = try fixture.pair()
        var keys: AttributeDictionary = .of(.key)
        keys[.accessGroup] = .string(TokenFixture.group)
        #expect(fixture.engine.keychain.attributes(keys).count == 2)
        #expect(fixture.engine.keychain.add(password("ada", service: "mail")) == .success)
        let found = try fixture.find([(.objectClass, Encoding.number(ObjectClass.data.rawValue))])
        let data = try #require(found.first)
        #expect(try fixture.bytes(data, .application) == Array("mail".utf8))
        #expect(try fixture.bytes(data, .label) == Array("ada".utf8))
        #expect(try fixture.bytes(data, .value) == Array("open sesame".utf8))
        try fixture.module.destroyObject(fixture.session, of: data)
        #expect(fixture.engine.keychain.read(password("ada", service: "mail")) == .notFound)
    }

    /// `keychainctl migrate --undo` needs these records.
    @Test
    func `are not what a migration took`() throws {
        let fixture = try TokenFixture()
        let record = password("~/.netrc", service: "keychain-migrate.undo")
        #expect(fixture.engine.keychain.add(record) == .success)
        #expect(fixture.engine.keychain.add(password("ada", service: "mail")) == .success)
        let found = try fixture.find([(.objectClass, Encoding.number(ObjectClass.data.rawValue))])
        #expect(try found.map { try fixture.bytes($0, .application) } == [Array("mail".utf8)])
    }

    @Test
    func `have the same identifier in both halves, and keep handle and identifier`() throws {
        let fixture = try TokenFixture()
        let pair = try fixture.pair(identifier: [])
        let identifier = try #require(try fixture.bytes(pair.publicKey, .identifier))
        #expect(identifier.count == 20)
        #expect(try fixture.bytes(pair.privateKey, .identifier) == identifier)
        try fixture.module.setAttributes(
            fixture.session,
            of: pair.privateKey,
            try Template([(.identifier, [9]), (.label, Array("new".utf8))])
        )
        #expect(try fixture.find([(.identifier, [9])]) == [pair.privateKey])
        #expect(try fixture.find([(.label, Array("new".utf8))]) == [pair.privateKey])
        #expect(try fixture.find([(.identifier, identifier)]) == [pair.publicKey])
    }

    @Test(arguments: [
        AttributeType.privateExponent, .prime1, .prime2, .exponent1, .exponent2, .coefficient,
    ])
    func `never show a private key`(type: AttributeType) throws {
        let fixture = try TokenFixture()
        let pair = try fixture.pair(0, curve: nil)
        guard
            case .sensitive = try fixture.module.attributes(
                fixture.session,
                of: pair.privateKey,
                [type]
            )[0]
        else {
            Issue.record("\(type) left the token")
            return
        }
        #expect(try fixture.bytes(pair.privateKey, .sensitive) == [1])
        #expect(try fixture.bytes(pair.privateKey, .extractable) == [0])
        let modulus = try fixture.bytes(pair.privateKey, .modulus)
        #expect(modulus?.count == 256)
        #expect(try fixture.bytes(pair.publicKey, .modulus) == modulus)
    }

    @Test
    func `take an imported private key`() throws {
        let fixture = try TokenFixture()
        let key = try PrivateKey.generate(.ellipticCurve(.p256))
        let handle = try fixture.module.createObject(
            fixture.session,
            try Template([
                (.objectClass, Encoding.number(3)), (.keyType, Encoding.number(3)), (.token, [1]),
                (.curveParameters, key.kind.curveParameters ?? []),
                (.value, [0] + key.rawRepresentation().copyBytesUnprotected()),
            ])
        )
        let digest = [UInt8](repeating: 1, count: 32)
        let signature = try fixture.sign(handle, MechanismCall(0x1041), digest)
        #expect(
            try key.publicKey.isValidSignature(
                signature,
                for: digest,
                with: .ecdsaDigest(.rfc4754)
            )
        )
        #expect(try fixture.bytes(handle, .curvePoint) == key.publicKey.pointOctetString)
    }

    @Test
    func `of a session end with it, and others stay`() throws {
        let fixture = try TokenFixture()
        let kept = try fixture.pair()
        let living = try fixture.pair(identifier: [8], isToken: false)
        let second = try fixture.module.openSession(slot: 0, flags: Flags.serialSession)
        #expect(try fixture.sign(living.privateKey, MechanismCall(0x1041), [1]).count == 64)
        try fixture.module.closeSession(fixture.session)
        #expect(throws: ReturnCode.objectHandleInvalid) {
            _ = try fixture.module.attributes(second, of: living.publicKey, [.label])
        }
        _ = try fixture.module.attributes(second, of: kept.publicKey, [.label])
    }

    @Test
    func `change in a session for writing only`() throws {
        let fixture = try TokenFixture()
        let pair = try fixture.pair()
        let reading = try fixture.module.openSession(slot: 0, flags: Flags.serialSession)
        let template = try Template([(.label, [1])])
        #expect(throws: ReturnCode.sessionReadOnly) {
            try fixture.module.setAttributes(reading, of: pair.publicKey, template)
        }
        #expect(throws: ReturnCode.sessionReadOnly) {
            try fixture.module.destroyObject(reading, of: pair.publicKey)
        }
        #expect(throws: ReturnCode.attributeReadOnly) {
            try fixture.module.setAttributes(
                fixture.session,
                of: pair.privateKey,
                try Template([(.extractable, [1])])
            )
        }
    }

    @Test
    func `of another slot are not reached`() throws {
        let fixture = try TokenFixture()
        let pair = try fixture.pair()
        let other = try fixture.module.openSession(slot: 1, flags: Flags.serialSession)
        #expect(throws: ReturnCode.objectHandleInvalid) {
            _ = try fixture.module.attributes(other, of: pair.publicKey, [.label])
        }
    }

    struct Hostile: CustomStringConvertible {
        let description: String
        let rows: [(AttributeType, [UInt8])]
        let code: ReturnCode
    }

    private static let number = Encoding.number

    private static let hostile: [Hostile] = [
        .init(description: "nothing", rows: [], code: .templateIncomplete),
        .init(
            description: "a class of three bytes",
            rows: [(.objectClass, [1, 2, 3])],
            code: .attributeValueInvalid
        ),
        .init(
            description: "a class that does not exist",
            rows: [(.objectClass, number(.max))],
            code: .attributeValueInvalid
        ),
        .init(
            description: "a truth value of 2",
            rows: [(.objectClass, number(0)), (.token, [2])],
            code: .attributeValueInvalid
        ),
        .init(
            description: "a certificate of zeros",
            rows: [(.objectClass, number(1)), (.value, [0, 0])],
            code: .attributeValueInvalid
        ),
        .init(
            description: "a certificate without a value",
            rows: [(.objectClass, number(1))],
            code: .templateIncomplete
        ),
        .init(
            description: "a public key off its curve",
            rows: [
                (.objectClass, number(2)), (.keyType, number(3)),
                (.curveParameters, KeyKind.ellipticCurve(.p256).curveParameters ?? []),
                (.curvePoint, [4] + [UInt8](repeating: 1, count: 64)),
            ],
            code: .attributeValueInvalid
        ),
        .init(
            description: "an RSA key of one bit",
            rows: [
                (.objectClass, number(2)), (.keyType, number(0)), (.modulus, [1]),
                (.publicExponent, []),
            ],
            code: .attributeValueInvalid
        ),
        .init(
            description: "a private scalar of a thousand bytes",
            rows: [
                (.objectClass, number(3)), (.keyType, number(3)),
                (.curveParameters, KeyKind.ellipticCurve(.p256).curveParameters ?? []),
                (.value, [UInt8](repeating: 1, count: 1000)),
            ],
            code: .attributeValueInvalid
        ),
        .init(
            description: "a curve with another type of key",
            rows: [
                (.objectClass, number(2)), (.keyType, number(0x40)),
                (.curveParameters, KeyKind.ellipticCurve(.p256).curveParameters ?? []),
                (.curvePoint, [4]),
            ],
            code: .attributeValueInvalid
        ),
        .init(
            description: "a secret key in the token",
            rows: [
                (.objectClass, number(4)), (.keyType, number(0x10)), (.value, [1]), (.token, [1]),
            ],
            code: .templateInconsistent
        ),
        .init(
            description: "an AES key of 17 bytes",
            rows: [
                (.objectClass, number(4)), (.keyType, number(0x1F)),
                (.value, [UInt8](repeating: 0, count: 17)),
            ],
            code: .attributeValueInvalid
        ),
    ]

    @Test(arguments: hostile)
    func `are not made of a hostile template`(row: Hostile) throws {
        let fixture = try TokenFixture()
        #expect(throws: row.code) {
            _ = try fixture.module.createObject(fixture.session, try Template(row.rows))
        }
    }

    @Test
    func `are not found by what no object has`() throws {
        let fixture = try TokenFixture()
        _ = try fixture.pair()
        #expect(try fixture.find([(AttributeType(rawValue: .max), [])]) == [])
        #expect(try fixture.find([(.objectClass, [])]) == [])
        #expect(try fixture.find([(.value, [1])]) == [])
        #expect(try fixture.find([]).count == 2)
    }

    @Test
    func `have room for so many sessions`() throws {
        let fixture = try TokenFixture()
        let sessions = try (1..<TokenModule.sessionLimit).map { _ in
            try fixture.module.openSession(slot: 0, flags: Flags.serialSession)
        }
        #expect(Set(sessions).count == TokenModule.sessionLimit - 1)
        #expect(throws: ReturnCode.sessionCount) {
            _ = try fixture.module.openSession(slot: 0, flags: Flags.serialSession)
        }
        try fixture.module.closeAllSessions(slot: 0)
        #expect(throws: ReturnCode.sessionHandleInvalid) {
            try fixture.module.check(fixture.session)
        }
    }

    /// Java opens slot 0 without a list.
    @Test func `are in slots that have numbers before anybody lists them`() throws {
        let fixture = try TokenFixture()
        func module() -> TokenModule {
            let endpoint = fixture.engine.keychain.endpoint
            return TokenModule { () throws(KeychainError) in endpoint }
        }
        #expect(try module().group(0) == TokenFixture.group)
        #expect(try module().token(1).label == EngineFixture.groups[1])
        _ = try module().openSession(slot: 0, flags: Flags.serialSession)
        try module().closeAllSessions(slot: 0)
        #expect(throws: ReturnCode.slotIDInvalid) { _ = try module().group(2) }
    }

    @Test func `on Curve25519 are found by those who ask for them`() throws {
        let fixture = try TokenFixture()
        let ours = try fixture.pair()
        let pair = try fixture.pair(0x1055, curve: .ed25519, identifier: [8])
        let keys = Encoding.number(ObjectClass.privateKey.rawValue)
        #expect(try fixture.find([(.objectClass, keys)]) == [ours.privateKey])
        #expect(try fixture.find([]).count == 2)
        #expect(try fixture.find([(.objectClass, keys), (.identifier, [8])]) == [pair.privateKey])
        let type = Encoding.number(KeyTypeNumber.edwards.rawValue)
        #expect(try fixture.find([(.keyType, type)]).count == 2)
        let endpoint = fixture.engine.keychain.endpoint
        let module = TokenModule(listsEverything: true) { () throws(KeychainError) in endpoint }
        let session = try module.openSession(slot: 0, flags: Flags.serialSession)
        try module.beginSearch(session, Template())
        #expect(try module.nextFound(session, limit: 9).count == 4)
        // One that lives in a session is the program's own.
        _ = try fixture.pair(0x1055, curve: .ed25519, identifier: [9], isToken: false)
        #expect(try fixture.find([]).count == 4)
    }

    @Test(arguments: [UInt(2), .max, UInt(Int.max) + 1])
    func `are in no slot that does not exist`(slot: UInt) throws {
        let fixture = try TokenFixture()
        #expect(throws: ReturnCode.slotIDInvalid) {
            _ = try fixture.module.openSession(slot: slot, flags: Flags.serialSession)
        }
        #expect(throws: ReturnCode.slotIDInvalid) { _ = try fixture.module.token(slot) }
    }

    @Test(arguments: [
        (Int64(0), "20010101"), (762_523_200, "20250301"), (-1, "20001231"),
        (-978_307_200, "19700101"), (Int64.max, ""), (Int64.min, ""),
    ])
    func `write a date in digits`(seconds: Int64, digits: String) {
        #expect(CalendarDate(secondsSince2001: seconds).digits == Array(digits.utf8))
    }
}
