import Cryptography
import SecretServiceProtocol
import Secrets
import Testing

@Suite struct `Limits of the Secret Service` {
    private static let service = SecretServiceBench.service

    @Test func `bound the secrets of one reply`() throws {
        var limits = ServiceLimits()
        limits.replyByteCount = 8
        var bench = SecretServiceBench(limits: limits)
        let items = try ["four", "more", "x"].map { value in try bench.item([:], value) }
        let session = try bench.session()
        let name = SecretServiceBench.serviceName
        func secrets(_ paths: [String]) throws(SecretServiceError) -> [BusValue] {
            try bench.call(Self.service, name, "GetSecrets", [.paths(paths), .path(session)])
        }
        _ = try secrets(Array(items.prefix(2)))
        #expect(throws: SecretServiceError(.limitsExceeded, "")) { _ = try secrets(items) }
    }

    @Test func `bound the memory of the session collection`() throws {
        let store = MemoryItemStore([.session], byteCountLimit: 10, now: { 1 })
        func secret(_ count: Int) -> StoredSecret {
            StoredSecret(EncodedSecret.plain(Array(repeating: 1, count: count), "/").value)
        }
        let content = ItemContent(label: "L", attributes: ["k": "v"])
        let first = try store.add(content, secret(4), to: "session")
        #expect(throws: SecretServiceError(.limitsExceeded, "")) {
            try store.add(content, secret(1), to: "session")
        }
        #expect(throws: SecretServiceError(.limitsExceeded, "")) {
            try store.update(first, with: ItemChange(secret: secret(8)))
        }
        try store.update(first, with: ItemChange(secret: secret(7)))
        try store.delete(first)
        _ = try store.add(content, secret(7), to: "session")
    }

    @Test func `bound the aliases of a collection`() throws {
        var limits = ServiceLimits()
        limits.aliases = 2
        var bench = SecretServiceBench(limits: limits)
        let name = SecretServiceBench.serviceName
        func set(_ alias: String) throws(SecretServiceError) {
            let arguments: [BusValue] = [.text(alias), .path(SecretServiceBench.login)]
            try bench.call(Self.service, name, "SetAlias", arguments)
        }
        try set("a")
        try set("b")
        #expect(throws: SecretServiceError(.limitsExceeded, "")) { try set("c") }
        try set("b")
    }

    /// A client that opens a session for each item, as Python's secretstorage does.
    @Test func `let a client read 10,000 items through as many sessions`() throws {
        var bench = SecretServiceBench()
        let item = try bench.item(["user": "ada"], "s3cret")
        for _ in 1...10_000 { _ = try bench.session() }
        #expect(try bench.secret(of: item) == "s3cret")
    }

    @Test(arguments: [("at the limit", 500, true), ("over the limit", 501, false)])
    func `count the attributes of an item`(label: String, count: Int, isTaken: Bool) throws {
        var bench = SecretServiceBench()
        let pairs = (0..<count).map { ("name\($0)", "value") }
        let attributes = Dictionary(uniqueKeysWithValues: pairs)
        if isTaken {
            let item = try bench.item(attributes)
            #expect(try bench.search(attributes).unlocked == [item])
        } else {
            #expect(throws: SecretServiceError(.limitsExceeded, "")) { try bench.item(attributes) }
        }
    }

    @Test(arguments: [("at the limit", 0, true), ("over the limit", 1, false)])
    func `count the bytes of attributes`(label: String, extra: Int, isTaken: Bool) throws {
        var bench = SecretServiceBench()
        let value = String(repeating: "v", count: ServiceLimits().attributesByteCount - 5 + extra)
        if isTaken {
            try bench.item(["n": value])
        } else {
            #expect(throws: SecretServiceError(.limitsExceeded, "")) {
                try bench.item(["n": value])
            }
        }
    }

    /// Opens a session; returns its path, and the client's side of it.
    private func open(
        isEncrypted: Bool,
        _ bench: inout SecretServiceBench
    ) throws -> (path: String, client: SecretSession) {
        guard isEncrypted else { return (try bench.session(), .plain) }
        let exponent = try SeededRandomSource(seed: 4).secret(SecondOakleyGroup.exponentByteCount)
        let publicValue = try SecondOakleyGroup.publicValue(of: exponent)
        let arguments: [BusValue] = [
            .text(SecretSession.encryptedAlgorithm),
            .variant(.bytes(SharedSecret(Secret(copying: publicValue)))),
        ]
        let name = SecretServiceBench.serviceName
        let opened = try bench.call(Self.service, name, "OpenSession", arguments)
        let key = try SecretSession.key(of: exponent, with: opened[0].bytes)
        return (opened[1].path, .encrypted(key: SharedSecret(key)))
    }

    struct Size: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let extra: Int
        let isTaken: Bool

        static let all: [Size] = [
            .init(testDescription: "one byte less", extra: -1, isTaken: true),
            .init(testDescription: "at the limit", extra: 0, isTaken: true),
            .init(testDescription: "one byte more", extra: 1, isTaken: false),
            .init(testDescription: "a block more", extra: 16, isTaken: false),
            .init(testDescription: "more than a block more", extra: 17, isTaken: false),
        ]
    }

    /// What an encrypted session sends is longer than the secret by its padding.
    @Test(arguments: [false, true], Size.all)
    func `count the bytes of a secret without its padding`(
        isEncrypted: Bool,
        size: Size
    ) throws {
        var bench = SecretServiceBench()
        let (path, client) = try open(isEncrypted: isEncrypted, &bench)
        let bytes = [UInt8](repeating: 7, count: ServiceLimits().secretByteCount + size.extra)
        let secret = StoredSecret(SharedSecret(Secret(copying: bytes)))
        let encoded = try client.encode(secret, for: path, random: SeededRandomSource(seed: 2))
        let arguments: [BusValue] = [.properties([:]), .secret(encoded), .flag(false)]
        let name = SecretServiceBench.collectionName
        if size.isTaken {
            try bench.call(SecretServiceBench.login, name, "CreateItem", arguments)
        } else {
            #expect(throws: SecretServiceError(.limitsExceeded, "")) {
                try bench.call(SecretServiceBench.login, name, "CreateItem", arguments)
            }
        }
    }
}
