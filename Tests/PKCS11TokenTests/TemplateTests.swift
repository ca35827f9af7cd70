import Cryptography
import EngineTestSupport
import Secrets
import TestSupport
import Testing

@testable import PKCS11Token

@Suite struct `An attribute of a template` {
    private static let yes = Encoding.flag(true)
    private static let no = Encoding.flag(false)
    private static let date = Array("20260228".utf8)
    private static let mechanisms = Encoding.number(0x1041) + Encoding.number(0x1044)

    /// What becomes of a value in a new pair.
    struct Row: CustomStringConvertible {
        let type: AttributeType
        let value: [UInt8]
        /// Of the private half, else of the public one.
        let isPrivate: Bool
        /// nil where it is kept.
        let inSession: ReturnCode?
        let inToken: ReturnCode?

        var description: String {
            "\(String(type.rawValue, radix: 16)) \(value) \(isPrivate ? "private" : "public")"
        }

        init(
            _ type: AttributeType,
            _ value: [UInt8],
            isPrivate: Bool = true,
            _ inSession: ReturnCode? = nil,
            _ inToken: ReturnCode? = nil
        ) {
            self.type = type
            self.value = value
            self.isPrivate = isPrivate
            self.inSession = inSession
            self.inToken = inToken ?? inSession
        }
    }

    private static let rows: [Row] = [
        .init(.alwaysAuthenticate, yes, nil, .attributeValueInvalid),
        .init(.modifiable, no), .init(.destroyable, no), .init(.wrapWithTrusted, yes),
        .init(.copyable, no), .init(.unwrap, yes), .init(.unwrap, no), .init(.decrypt, yes),
        .init(.derive, no), .init(.sign, no), .init(.signRecover, yes),
        .init(.isPrivate, no, .attributeValueInvalid), .init(.isPrivate, yes),
        .init(.sensitive, no, nil, .attributeValueInvalid), .init(.sensitive, yes),
        .init(.extractable, yes), .init(.extractable, no), .init(.allowedMechanisms, mechanisms),
        .init(.startDate, date), .init(.endDate, date), .init(.endDate, []),
        .init(.startDate, Array("20260230".utf8), .attributeValueInvalid),
        .init(.identifier, [1, 2, 3]), .init(.subject, [0x30, 0]), .init(.label, [0x61]),
        .init(.local, yes), .init(.local, no, .attributeReadOnly),
        .init(.alwaysSensitive, no, .attributeReadOnly),
        .init(.neverExtractable, no, .attributeReadOnly),
        .init(.keyType, Encoding.number(0), .templateInconsistent),
        .init(.keyType, Encoding.number(3)),
        .init(.value, [1], .templateInconsistent),
        .init(.modulus, [1], .attributeTypeInvalid), .init(.trusted, yes, .attributeTypeInvalid),
        .init(.unwrapTemplate, [UInt8](repeating: 0, count: 24), .attributeValueInvalid),
        .init(AttributeType(rawValue: 0x8000_0001), [1], .attributeTypeInvalid),
        .init(.modifiable, [2], .attributeValueInvalid),
        .init(.trusted, yes, isPrivate: false, .attributeValueInvalid),
        .init(.trusted, no, isPrivate: false), .init(.isPrivate, yes, isPrivate: false),
        .init(.encrypt, yes, isPrivate: false), .init(.wrap, yes, isPrivate: false),
        .init(.verify, no, isPrivate: false), .init(.verifyRecover, yes, isPrivate: false),
        .init(.derive, yes, isPrivate: false), .init(.subject, [0x30, 0], isPrivate: false),
        .init(.destroyable, no, isPrivate: false), .init(.modifiable, no, isPrivate: false),
        .init(.startDate, date, isPrivate: false),
        .init(.sign, yes, isPrivate: false, .attributeTypeInvalid),
        .init(.curvePoint, [4], isPrivate: false, .templateInconsistent),
    ]

    private static func pair(
        _ fixture: TokenFixture,
        _ row: Row,
        isToken: Bool
    ) throws -> UInt {
        let token = (AttributeType.token, Encoding.flag(isToken))
        let curve = KeyKind.ellipticCurve(.p256).curveParameters ?? []
        let own = [token, (row.type, row.value)]
        let handles = try fixture.module.generateKeyPair(
            fixture.session,
            MechanismCall(0x1040),
            public: try Template((row.isPrivate ? [token] : own) + [(.curveParameters, curve)]),
            private: try Template(row.isPrivate ? own : [token])
        )
        return row.isPrivate ? handles.privateKey : handles.publicKey
    }

    @Test(arguments: rows, [false, true])
    func `is kept, or its template is refused`(row: Row, isToken: Bool) throws {
        let fixture = try TokenFixture()
        guard let code = isToken ? row.inToken : row.inSession else {
            let key = try Self.pair(fixture, row, isToken: isToken)
            #expect(try fixture.bytes(key, row.type) == row.value)
            guard isToken else { return }
            // Also for a program that comes later.
            let later = try TokenFixture(beside: fixture)
            let found = try later.find([(.objectClass, Encoding.number(row.isPrivate ? 3 : 2))])
            #expect(try found.map { try later.bytes($0, row.type) } == [row.value])
            return
        }
        #expect(throws: code) { _ = try Self.pair(fixture, row, isToken: isToken) }
        #expect(try fixture.find([]) == [])
    }

    @Test(arguments: [false, true])
    func `says truly where a new key comes from`(isToken: Bool) throws {
        let fixture = try TokenFixture()
        let pair = try fixture.pair(isToken: isToken)
        let types = [AttributeType.local, .alwaysSensitive, .neverExtractable]
        #expect(try types.allSatisfy { try fixture.bytes(pair.privateKey, $0) == Self.yes })
        #expect(try fixture.bytes(pair.publicKey, .local) == Self.yes)
        #expect(
            try fixture.bytes(pair.privateKey, .keyGenerationMechanism) == Encoding.number(0x1040)
        )
        let imported = try fixture.module.createObject(
            fixture.session,
            try Template(try Self.scalar() + [(.token, Encoding.flag(isToken))])
        )
        #expect(try types.allSatisfy { try fixture.bytes(imported, $0) == Self.no })
    }

    private static func scalar() throws -> [(AttributeType, [UInt8])] {
        let key = try PrivateKey.generate(.ellipticCurve(.p256))
        return [
            (.objectClass, Encoding.number(3)), (.keyType, Encoding.number(3)),
            (.curveParameters, key.kind.curveParameters ?? []),
            (.value, try key.rawRepresentation().copyBytesUnprotected()),
        ]
    }

    @Test func `of a key in the token is one of the door's alone`() throws {
        let fixture = try TokenFixture()
        _ = try Self.pair(fixture, .init(.destroyable, Self.no), isToken: true)
        #expect(fixture.engine.keychain.attributes(.of(.key)).count == 2)
    }

    @Test(arguments: [false, true])
    func `forbids what it says`(isToken: Bool) throws {
        let fixture = try TokenFixture()
        let module = fixture.module
        let fixed = try Self.pair(fixture, .init(.modifiable, Self.no), isToken: isToken)
        #expect(throws: ReturnCode.actionProhibited) {
            try module.setAttributes(fixture.session, of: fixed, try Template([(.label, [1])]))
        }
        let eternal = try Self.pair(fixture, .init(.destroyable, Self.no), isToken: isToken)
        #expect(throws: ReturnCode.actionProhibited) {
            try module.destroyObject(fixture.session, of: eternal)
        }
        let single = try Self.pair(fixture, .init(.copyable, Self.no), isToken: isToken)
        #expect(throws: ReturnCode.actionProhibited) {
            _ = try module.copyObject(fixture.session, single, Template())
        }
        let narrow = try Self.pair(
            fixture,
            .init(.allowedMechanisms, Encoding.number(0x1044)),
            isToken: isToken
        )
        _ = try fixture.sign(narrow, MechanismCall(0x1044), [1])
        #expect(throws: ReturnCode.mechanismInvalid) {
            _ = try fixture.sign(narrow, MechanismCall(0x1041), [1])
        }
    }

    @Test func `demands the passcode for each use`() throws {
        let fixture = try TokenFixture()
        let key = try Self.pair(fixture, .init(.alwaysAuthenticate, Self.yes), isToken: false)
        #expect(throws: ReturnCode.userNotLoggedIn) {
            _ = try fixture.sign(key, MechanismCall(0x1041), [1])
        }
        let module = fixture.module
        #expect(throws: ReturnCode.operationNotInitialized) {
            try module.login(fixture.session, userType: 2, passcode: Self.passcode)
        }
        try module.begin(.sign, in: fixture.session, MechanismCall(0x1041), key: key)
        #expect(throws: ReturnCode.pinIncorrect) {
            let wrong = EngineFixture.secret("wrong")
            try module.login(fixture.session, userType: 2, passcode: wrong)
        }
        try module.login(fixture.session, userType: 2, passcode: Self.passcode)
        let made = try [UInt8(1)].withBytes { bytes in
            try module.finish(.sign, in: fixture.session, bytes, capacity: 64)
        }
        #expect(made.bytes?.count == 64)
    }

    private static var passcode: SharedSecret { EngineFixture.secret(EngineFixture.passcode) }

    @Test(arguments: [false, true])
    func `changes as its kind allows`(isToken: Bool) throws {
        let fixture = try TokenFixture()
        let key = try Self.pair(fixture, .init(.extractable, Self.yes), isToken: isToken)
        func set(_ type: AttributeType, _ value: [UInt8]) throws {
            let template = try Template([(type, value)])
            try fixture.module.setAttributes(fixture.session, of: key, template)
            #expect(try fixture.bytes(key, type) == value)
        }
        try set(.extractable, Self.no)
        #expect(throws: ReturnCode.attributeReadOnly) { try set(.extractable, Self.yes) }
        try set(.wrapWithTrusted, Self.yes)
        #expect(throws: ReturnCode.attributeReadOnly) { try set(.wrapWithTrusted, Self.no) }
        try set(.subject, [0x30, 0])
        try set(.startDate, Self.date)
        try set(.sign, Self.no)
        try set(.decrypt, Self.yes)
        #expect(throws: ReturnCode.keyFunctionNotPermitted) {
            _ = try fixture.sign(key, MechanismCall(0x1041), [1])
        }
        #expect(throws: ReturnCode.attributeReadOnly) { try set(.local, Self.no) }
        #expect(throws: ReturnCode.attributeReadOnly) { try set(.modifiable, Self.no) }
        #expect(throws: ReturnCode.attributeReadOnly) { try set(.keyType, Encoding.number(0)) }
        #expect(throws: ReturnCode.attributeReadOnly) { try set(.alwaysAuthenticate, Self.yes) }
    }
}
