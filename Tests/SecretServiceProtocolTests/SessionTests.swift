import Cryptography
import SecretServiceProtocol
import Secrets
import TestSupport
import Testing

@Suite(.requirement("SSV-01")) struct `A session` {
    @Test(arguments: SessionVector.all)
    func `agrees on the key that others compute`(vector: SessionVector) throws {
        let exponent = Secret(copying: vector.exponent.bytes)
        let value = try SecondOakleyGroup.publicValue(of: exponent)
        let key = try SecretSession.key(of: exponent, with: vector.peer.bytes)
        #expect(value == vector.publicValue.bytes)
        #expect(key.copyBytesUnprotected() == vector.key.bytes)
    }

    @Test(arguments: SessionVector.all)
    func `ignores zeros in front of a public value`(vector: SessionVector) throws {
        let exponent = Secret(copying: vector.exponent.bytes)
        let padded = [UInt8](repeating: 0, count: 40) + vector.peer.bytes
        let key = try SecretSession.key(of: exponent, with: padded)
        #expect(key.copyBytesUnprotected() == vector.key.bytes)
    }

    @Test(arguments: BadPublicValue.all)
    func `is refused for what is no public value`(value: BadPublicValue) throws {
        var bench = SecretServiceBench()
        let arguments: [BusValue] = [
            .text(SecretSession.encryptedAlgorithm),
            .variant(.bytes(SharedSecret(Secret(copying: value.bytes)))),
        ]
        #expect(throws: SecretServiceError(.invalidArguments, "")) {
            try bench.call(
                SecretServiceBench.service,
                SecretServiceBench.serviceName,
                "OpenSession",
                arguments
            )
        }
        #expect(!bench.machine.isInUse)
    }

    @Test func `takes 2 and p minus 2 as public values`() throws {
        let exponent = Secret(copying: [UInt8](repeating: 7, count: 40))
        let highest = Array(BadPublicValue.prime.dropLast()) + [0xfd]
        #expect(throws: Never.self) {
            _ = try SecretSession.key(of: exponent, with: [2]).byteCount
            _ = try SecretSession.key(of: exponent, with: highest).byteCount
        }
    }

    /// What a new client gets for an item: the value, and whether the shared secret was short.
    private func value(
        of item: String,
        for client: String,
        _ random: SeededRandomSource,
        _ bench: inout SecretServiceBench
    ) throws -> (bytes: [UInt8], isShort: Bool) {
        let exponent = try random.secret(SecondOakleyGroup.exponentByteCount)
        let publicValue = try SecondOakleyGroup.publicValue(of: exponent)
        let opened = try bench.call(
            SecretServiceBench.service,
            SecretServiceBench.serviceName,
            "OpenSession",
            [
                .text(SecretSession.encryptedAlgorithm),
                .variant(.bytes(SharedSecret(Secret(copying: publicValue)))),
            ],
            from: client
        )
        let shared = try SecondOakleyGroup.sharedSecret(of: exponent, with: opened[0].bytes)
        let key = try HKDF.deriveKey(from: shared, salt: [], info: [], byteCount: 16)
        let place: BusValue = .path(opened[1].path)
        let name = SecretServiceBench.itemName
        let reply = try bench.call(item, name, "GetSecret", [place], from: client)
        let secret = try #require(reply[0].encodedSecret)
        let vector = secret.parameters.secret.copyBytesUnprotected()
        let value = try AESCBC.decrypt(secret.value.secret, key: key, vector: vector)
        return (value.copyBytesUnprotected(), shared.copyBytesUnprotected().first == 0)
    }

    /// One in 256 shared secrets starts with a zero byte.
    @Test func `hands over the right value 2,000 times in 2,000`() throws {
        var bench = SecretServiceBench()
        let random = SeededRandomSource(seed: 11)
        let item = try bench.item(["a": "b"], "the value")
        let values = try (0..<2_000).map { number in
            try value(of: item, for: ":1.\(100 + number)", random, &bench)
        }
        #expect(values.count { $0.bytes != Array("the value".utf8) } == 0)
        #expect(values.contains { $0.isShort })
    }

    /// Sizes around a block, bytes of all values.
    static let values: [[UInt8]] = [
        [], [0], Array("line\nline\n".utf8), [UInt8](repeating: 16, count: 15),
        [UInt8](repeating: 16, count: 16), [UInt8](repeating: 1, count: 17),
        (0..<3_072).map { UInt8(truncatingIfNeeded: $0) },
    ]

    private static let sessions: [SecretSession] = [
        .plain, .encrypted(key: SharedSecret(Secret(copying: [UInt8](repeating: 9, count: 16)))),
    ]

    @Test(arguments: values, sessions)
    private func `carries any bytes both ways`(value: [UInt8], session: SecretSession) throws {
        let random = SeededRandomSource(seed: 5)
        let secret = StoredSecret(SharedSecret(Secret(copying: value)), contentType: "a/b")
        let encoded = try session.encode(secret, for: "/s", random: random)
        let decoded = try session.decode(encoded)
        #expect(decoded.value.secret.copyBytesUnprotected() == value)
        #expect(decoded.contentType == "a/b")
    }

    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let parameters: [UInt8]
        let value: [UInt8]

        static let all: [Damage] = [
            .init(testDescription: "no vector", parameters: [], value: block),
            .init(testDescription: "a short vector", parameters: [1], value: block),
            .init(testDescription: "a long vector", parameters: block + [1], value: block),
            .init(testDescription: "no ciphertext", parameters: block, value: []),
            .init(testDescription: "half a block", parameters: block, value: [1, 2, 3]),
            .init(testDescription: "wrong padding", parameters: block, value: block),
        ]
        private static let block = [UInt8](repeating: 3, count: 16)
    }

    @Test(arguments: Damage.all)
    func `refuses a secret that does not decrypt`(damage: Damage) {
        let key = SharedSecret(Secret(copying: [UInt8](repeating: 9, count: 16)))
        let secret = EncodedSecret.plain(damage.value, "/s", parameters: damage.parameters)
        #expect(throws: SecretServiceError(.invalidArguments, "")) {
            try SecretSession.encrypted(key: key).decode(secret)
        }
    }

    @Test func `is refused for an unknown algorithm`() {
        var bench = SecretServiceBench()
        #expect(throws: SecretServiceError(.notSupported, "")) {
            try bench.call(
                SecretServiceBench.service,
                SecretServiceBench.serviceName,
                "OpenSession",
                [.text("rot13"), .variant(.text(""))]
            )
        }
    }

    @Test func `serves its own client alone`() throws {
        var bench = SecretServiceBench()
        let item = try bench.item(["a": "b"])
        let session = try bench.session(from: ":1.8")
        #expect(throws: SecretServiceError(.noSession, "")) {
            try bench.call(item, SecretServiceBench.itemName, "GetSecret", [.path(session)])
        }
        #expect(throws: SecretServiceError(.noSession, "")) {
            try bench.call(session, InterfaceTable.sessionName, "Close")
        }
        #expect(throws: SecretServiceError(.noSession, "")) {
            try bench.call(session, InterfaceTable.introspectableName, "Introspect")
        }
    }

    @Test func `ends when it is closed`() throws {
        var bench = SecretServiceBench()
        let item = try bench.item(["a": "b"])
        let session = try bench.session()
        try bench.call(session, InterfaceTable.sessionName, "Close")
        #expect(throws: SecretServiceError(.noSession, "")) {
            try bench.call(item, SecretServiceBench.itemName, "GetSecret", [.path(session)])
        }
    }

    @Test func `ends with its client`() throws {
        var bench = SecretServiceBench()
        let session = try bench.session()
        _ = bench.machine.forget(client: SecretServiceBench.client)
        #expect(!bench.machine.isInUse)
        #expect(throws: SecretServiceError(.noSession, "")) {
            try bench.call(session, InterfaceTable.sessionName, "Close")
        }
    }

    @Test func `is one of a limited number of its client`() throws {
        var limits = ServiceLimits()
        limits.sessionsPerClient = 64
        var bench = SecretServiceBench(limits: limits)
        let paths = try (0..<64).map { _ in try bench.session() }
        #expect(throws: SecretServiceError(.limitsExceeded, "")) { try bench.session() }
        #expect(throws: Never.self) { try bench.session(from: ":1.8") }
        try bench.call(paths[63], InterfaceTable.sessionName, "Close")
        #expect(throws: Never.self) { try bench.session() }
    }

    @Test func `is one of a limited number of all clients`() throws {
        var limits = ServiceLimits()
        limits.sessions = 10_000
        var bench = SecretServiceBench(limits: limits)
        let paths = try (0..<10_000).map { try bench.session(from: ":2.\($0 / 64)") }
        #expect(Set(paths).count == 10_000)
        #expect(throws: SecretServiceError(.limitsExceeded, "")) { try bench.session() }
        _ = bench.machine.forget(client: ":2.0")
        #expect(throws: Never.self) { try bench.session() }
    }
}
