import Cryptography
import EngineTestSupport
import Secrets
import Testing

@testable import PKCS11Token

@Suite struct `A secret key of a session` {
    private static let readable: [(AttributeType, [UInt8])] = [
        (.sensitive, [0]), (.extractable, [1]),
    ]

    private static func aes(
        _ fixture: TokenFixture,
        _ value: [UInt8]? = nil,
        _ rows: [(AttributeType, [UInt8])] = readable
    ) throws -> UInt {
        guard let value else {
            let length = (AttributeType.valueLength, Encoding.number(32))
            return try fixture.module.generateKey(
                fixture.session,
                MechanismCall(0x1080),
                try Template(rows + [length])
            )
        }
        return try fixture.module.createObject(
            fixture.session,
            try Template(
                rows + [
                    (.objectClass, Encoding.number(4)), (.keyType, Encoding.number(0x1F)),
                    (.value, value),
                ]
            )
        )
    }

    private static let vector = Array(UInt8(0)..<16)
    private static let counter = MechanismCall.Parameter.counter(bitCount: 128, block: vector)
    private static let authenticated = MechanismCall.Parameter.authenticated(
        nonce: Array(0..<12),
        data: [1, 2],
        tagBitCount: 120
    )

    struct Way: CustomStringConvertible {
        let description: String
        let call: MechanismCall
        /// What a message of 40 bytes, or of 48 without padding, becomes.
        let byteCount: Int
        var messageByteCount = 40
    }

    private static let ways: [Way] = [
        .init(
            description: "ECB",
            call: MechanismCall(0x1081),
            byteCount: 48,
            messageByteCount: 48
        ),
        .init(
            description: "CBC",
            call: MechanismCall(0x1082, .vector(vector)),
            byteCount: 48,
            messageByteCount: 48
        ),
        .init(
            description: "CBC with padding",
            call: MechanismCall(0x1085, .vector(vector)),
            byteCount: 48
        ),
        .init(description: "CTR", call: MechanismCall(0x1086, counter), byteCount: 40),
        .init(description: "GCM", call: MechanismCall(0x1087, authenticated), byteCount: 55),
    ]

    private static func whole(
        _ fixture: TokenFixture,
        _ kind: OperationKind,
        _ call: MechanismCall,
        _ key: UInt,
        _ input: [UInt8]
    ) throws -> [UInt8] {
        try fixture.module.begin(kind, in: fixture.session, call, key: key)
        return try input.withBytes { bytes in
            try fixture.module.transform(kind, in: fixture.session, bytes, capacity: 4096)
        }.bytes ?? []
    }

    private static func parts(
        _ fixture: TokenFixture,
        _ kind: OperationKind,
        _ call: MechanismCall,
        _ key: UInt,
        _ input: [UInt8],
        of size: Int
    ) throws -> [UInt8] {
        let module = fixture.module
        try module.begin(kind, in: fixture.session, call, key: key)
        var output: [UInt8] = []
        var rest = input[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(size))
            rest = rest.dropFirst(size)
            output +=
                try part.withBytes { bytes in
                    let size = try module.stream(kind, in: fixture.session, bytes, capacity: nil)
                        .size
                    // A buffer that is too small changes nothing.
                    if let size, size > 0 {
                        let small = try module.stream(
                            kind,
                            in: fixture.session,
                            bytes,
                            capacity: size - 1
                        )
                        #expect(small.size == size)
                    }
                    return try module.stream(kind, in: fixture.session, bytes, capacity: size ?? 0)
                }.bytes ?? []
        }
        return output
            + (try module.stream(kind, in: fixture.session, nil, capacity: 4096).bytes ?? [])
    }

    @Test(arguments: ways, [1, 7, 16, 33])
    func `encrypts at once and in parts`(way: Way, size: Int) throws {
        let fixture = try TokenFixture()
        let key = try Self.aes(fixture)
        let message = (0..<way.messageByteCount).map { UInt8($0) }
        let once = try Self.whole(fixture, .encrypt, way.call, key, message)
        #expect(once.count == way.byteCount)
        #expect(try Self.parts(fixture, .encrypt, way.call, key, message, of: size) == once)
        #expect(try Self.whole(fixture, .decrypt, way.call, key, once) == message)
        #expect(try Self.parts(fixture, .decrypt, way.call, key, once, of: size) == message)
    }

    /// NIST SP 800-38A F.1.1, F.2.1 and F.5.1, the first blocks.
    @Test(arguments: [
        (MechanismCall(0x1081), "3ad77bb40d7a3660a89ecaf32466ef97"),
        (MechanismCall(0x1082, .vector(vector)), "7649abac8119b246cee98e9b12e9197d"),
        (
            MechanismCall(
                0x1086,
                .counter(bitCount: 128, block: Array(UInt8(0xF0)...0xFF))
            ),
            "874d6191b620e3261bef6864990db6ce"
        ),
    ])
    func `encrypts as others do`(call: MechanismCall, expected: String) throws {
        let fixture = try TokenFixture()
        let key = try Self.aes(fixture, Self.bytes("2b7e151628aed2a6abf7158809cf4f3c"))
        let message = Self.bytes("6bc1bee22e409f96e93d7e117393172a")
        let made = try Self.whole(fixture, .encrypt, call, key, message)
        #expect(made == Self.bytes(expected))
    }

    private static func bytes(_ text: String) -> [UInt8] {
        let digits = Array(text.utf8).map { $0 < 0x3A ? $0 - 0x30 : $0 - 0x57 }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    @Test(arguments: [
        (MechanismCall(0x1081), 40, ReturnCode.dataLengthRange),
        (MechanismCall(0x1086, .counter(bitCount: 4, block: vector)), 40, .dataLengthRange),
        (MechanismCall(0x1082, .none), 0, .mechanismParameterInvalid),
        (MechanismCall(0x1082, .vector([1])), 0, .mechanismParameterInvalid),
        (
            MechanismCall(0x1087, .authenticated(nonce: [], data: [], tagBitCount: 128)), 0,
            .mechanismParameterInvalid
        ),
        (
            MechanismCall(
                0x1087,
                .authenticated(nonce: Array(0..<12), data: [], tagBitCount: 129)
            ), 0, .mechanismParameterInvalid
        ),
        (MechanismCall(0x0001), 0, .keyTypeInconsistent),
    ])
    func `refuses`(call: MechanismCall, count: Int, code: ReturnCode) throws {
        let fixture = try TokenFixture()
        let key = try Self.aes(fixture)
        #expect(throws: code) {
            let message = [UInt8](repeating: 0, count: count)
            _ = try Self.whole(fixture, .encrypt, call, key, message)
        }
    }

    @Test func `gives out no plaintext that was changed`() throws {
        let fixture = try TokenFixture()
        let key = try Self.aes(fixture)
        let call = MechanismCall(0x1087, Self.authenticated)
        var made = try Self.whole(fixture, .encrypt, call, key, [1, 2, 3])
        made[0] ^= 1
        #expect(throws: ReturnCode.encryptedDataInvalid) {
            _ = try Self.parts(fixture, .decrypt, call, key, made, of: 1)
        }
    }

    /// RFC 4231, test case 2.
    @Test func `makes codes of messages`() throws {
        let fixture = try TokenFixture()
        let key = try fixture.module.createObject(
            fixture.session,
            try Template([
                (.objectClass, Encoding.number(4)), (.keyType, Encoding.number(0x10)),
                (.value, Array("Jefe".utf8)),
            ])
        )
        let message = Array("what do ya want for nothing?".utf8)
        let code = try fixture.sign(key, MechanismCall(0x251), message)
        let expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        #expect(code == Self.bytes(expected))
        let module = fixture.module
        try module.begin(.verify, in: fixture.session, MechanismCall(0x251), key: key)
        try message.withBytes { try module.verify(in: fixture.session, $0, code) }
        try module.begin(.verify, in: fixture.session, MechanismCall(0x251), key: key)
        #expect(throws: ReturnCode.signatureInvalid) {
            try [UInt8(0)].withBytes { try module.verify(in: fixture.session, $0, code) }
        }
    }

    @Test func `says where it comes from, and hides what it should`() throws {
        let fixture = try TokenFixture()
        let open = try Self.aes(fixture)
        #expect(try fixture.bytes(open, .value)?.count == 32)
        #expect(try fixture.bytes(open, .local) == [1])
        #expect(try fixture.bytes(open, .alwaysSensitive) == [0])
        #expect(try fixture.bytes(open, .neverExtractable) == [0])
        let closed = try Self.aes(fixture, nil, [(.sensitive, [1]), (.extractable, [0])])
        #expect(try fixture.bytes(closed, .value) == nil)
        #expect(try fixture.bytes(closed, .valueLength) == Encoding.number(32))
        #expect(try fixture.bytes(closed, .alwaysSensitive) == [1])
        #expect(try fixture.bytes(closed, .neverExtractable) == [1])
        #expect(throws: ReturnCode.attributeReadOnly) {
            let template = try Template([(.extractable, [1])])
            try fixture.module.setAttributes(fixture.session, of: closed, template)
        }
    }

    @Test(arguments: [UInt(0x2109), 0x210A, 0x1085])
    func `wraps and unwraps another`(mechanism: UInt) throws {
        let fixture = try TokenFixture()
        let module = fixture.module
        let parameter = mechanism == 0x1085 ? MechanismCall.Parameter.vector(Self.vector) : .none
        let call = MechanismCall(mechanism, parameter)
        let (outer, inner) = (try Self.aes(fixture), try Self.aes(fixture))
        let wrapped = try module.wrapKey(fixture.session, call, wrapping: outer, inner).secret
            .copyBytesUnprotected()
        let template: [(AttributeType, [UInt8])] = [
            (.objectClass, Encoding.number(4)), (.keyType, Encoding.number(0x1F)),
        ]
        let again = try module.unwrapKey(
            fixture.session,
            call,
            unwrapping: outer,
            wrapped,
            try Template(template)
        )
        #expect(try fixture.bytes(again, .value) == fixture.bytes(inner, .value))
        #expect(try fixture.bytes(again, .local) == [0])
        #expect(throws: ReturnCode.wrappedKeyInvalid) {
            var changed = wrapped
            changed[changed.count - 1] ^= 1
            _ = try module.unwrapKey(
                fixture.session,
                call,
                unwrapping: outer,
                changed,
                try Template(template)
            )
        }
        let closed = try Self.aes(fixture, nil, [(.extractable, [0])])
        #expect(throws: ReturnCode.keyUnextractable) {
            _ = try module.wrapKey(fixture.session, call, wrapping: outer, closed)
        }
        let chosen = try Self.aes(fixture, nil, Self.readable + [(.wrapWithTrusted, [1])])
        #expect(throws: ReturnCode.keyNotWrappable) {
            _ = try module.wrapKey(fixture.session, call, wrapping: outer, chosen)
        }
    }

    @Test func `wraps no private key of the token, and unwraps one into it`() throws {
        let fixture = try TokenFixture()
        let module = fixture.module
        let outer = try Self.aes(fixture)
        let call = MechanismCall(0x210A)
        let stored = try fixture.pair().privateKey
        #expect(throws: ReturnCode.keyUnextractable) {
            _ = try module.wrapKey(fixture.session, call, wrapping: outer, stored)
        }
        let curve = KeyKind.ellipticCurve(.p256).curveParameters ?? []
        let living = try module.generateKeyPair(
            fixture.session,
            MechanismCall(0x1040),
            public: try Template([(.curveParameters, curve)]),
            private: try Template([(.extractable, [1])])
        )
        let wrapped = try module.wrapKey(fixture.session, call, wrapping: outer, living.privateKey)
        let handle = try module.unwrapKey(
            fixture.session,
            call,
            unwrapping: outer,
            wrapped.secret.copyBytesUnprotected(),
            try Template([
                (.objectClass, Encoding.number(3)), (.keyType, Encoding.number(3)), (.token, [1]),
            ])
        )
        #expect(
            try fixture.bytes(handle, .curvePoint) == fixture.bytes(living.publicKey, .curvePoint)
        )
        #expect(try fixture.bytes(handle, .local) == [0])
        #expect(try fixture.sign(handle, MechanismCall(0x1041), [1]).count == 64)
    }

    @Test func `is unwrapped with a private key of the token`() throws {
        let fixture = try TokenFixture()
        let module = fixture.module
        let pair = try fixture.pair(0, curve: nil)
        let key = try Self.aes(fixture)
        let oaep = MechanismCall(9, .oaep(hash: 0x250, mask: 2, source: 1, label: []))
        let wrapped = try module.wrapKey(fixture.session, oaep, wrapping: pair.publicKey, key)
        let again = try module.unwrapKey(
            fixture.session,
            oaep,
            unwrapping: pair.privateKey,
            wrapped.secret.copyBytesUnprotected(),
            try Template([(.objectClass, Encoding.number(4)), (.keyType, Encoding.number(0x1F))])
        )
        #expect(try fixture.bytes(again, .value) == fixture.bytes(key, .value))
    }

    @Test func `becomes a part of a digest`() throws {
        let fixture = try TokenFixture()
        let key = try Self.aes(fixture)
        try fixture.module.begin(.digest, in: fixture.session, MechanismCall(0x250))
        try fixture.module.digestKey(key, in: fixture.session)
        let made = try fixture.module.finish(.digest, in: fixture.session, nil, capacity: 32)
        #expect(try made.bytes == Digest.sha256(fixture.bytes(key, .value) ?? []))
        let pair = try fixture.pair()
        try fixture.module.begin(.digest, in: fixture.session, MechanismCall(0x250))
        #expect(throws: ReturnCode.keyIndigestible) {
            try fixture.module.digestKey(pair.privateKey, in: fixture.session)
        }
    }

    @Test func `makes another by encrypting data`() throws {
        let fixture = try TokenFixture()
        let key = try Self.aes(fixture)
        let data = [UInt8](repeating: 3, count: 32)
        let handle = try fixture.module.deriveKey(
            fixture.session,
            MechanismCall(0x1104, .encrypted(vector: [], data: data)),
            base: key,
            try Template([
                (.keyType, Encoding.number(0x1F)), (.valueLength, Encoding.number(16)),
            ])
        )
        let whole = try Self.whole(fixture, .encrypt, MechanismCall(0x1081), key, data)
        #expect(try fixture.bytes(handle, .value) == Array(whole.prefix(16)))
    }

    @Test func `is copied with other attributes`() throws {
        let fixture = try TokenFixture()
        let module = fixture.module
        let key = try Self.aes(fixture)
        let template = try Template([(.label, [0x61]), (.extractable, [0]), (.modifiable, [0])])
        let copy = try module.copyObject(fixture.session, key, template)
        #expect(try fixture.bytes(copy, .label) == [0x61])
        #expect(try fixture.bytes(copy, .extractable) == [0])
        #expect(try fixture.bytes(key, .extractable) == [1])
        #expect(throws: ReturnCode.attributeReadOnly) {
            _ = try module.copyObject(fixture.session, copy, try Template([(.extractable, [1])]))
        }
        #expect(throws: ReturnCode.attributeReadOnly) {
            let shorter = try Template([(.valueLength, Encoding.number(1))])
            _ = try module.copyObject(fixture.session, key, shorter)
        }
        #expect(throws: ReturnCode.templateInconsistent) {
            _ = try module.copyObject(fixture.session, key, try Template([(.token, [1])]))
        }
    }

    @Test func `stays where it is while the keychain is locked`() throws {
        let fixture = try TokenFixture()
        let key = try Self.aes(fixture, nil, [(.isPrivate, [1])])
        let module = fixture.module
        let call = MechanismCall(0x1085, .vector(Self.vector))
        try module.begin(.encrypt, in: fixture.session, call, key: key)
        try fixture.lock()
        #expect(throws: ReturnCode.userNotLoggedIn) {
            _ = try [UInt8(1)].withBytes { bytes in
                try module.stream(.encrypt, in: fixture.session, bytes, capacity: 64)
            }
        }
        #expect(throws: ReturnCode.userNotLoggedIn) {
            try module.begin(.encrypt, in: fixture.session, call, key: key)
        }
    }
}
