import SecretServiceProtocol
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
}
