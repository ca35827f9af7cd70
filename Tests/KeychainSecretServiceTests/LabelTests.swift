import EngineTestSupport
import KeychainSecretService
import SecretServiceProtocol
import Testing

@Suite struct `A label of an item of the Secret Service` {
    /// Programs make labels of whole addresses.
    @Test func `may be long`() throws {
        let bench = try StoreBench()
        let label = "https://a.example/?" + String(repeating: "q", count: 16_000)
        let secret = StoredSecret(StoreBench.secret("x"), contentType: "text/plain")
        let content = ItemContent(label: label, attributes: ["a": "b"])
        let name = try bench.store.add(content, secret, to: "login")
        guard case .open(content, _, _)? = try bench.store.item(name) else {
            Issue.record("the item has another label")
            return
        }
        #expect(ServiceLimits().labelByteCount >= label.utf8.count)
    }
}
