import KeychainMessages
import KeychainModel
import Secrets
import TestSupport
import Testing

@testable import KeychainWire

/// A message that is too much in one respect, and why.
private struct Excess: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let message: WireMessage

    init(_ name: String, _ request: ItemRequest) {
        testDescription = name
        message = .client(.request(.items(request)), token: WireSample.token)
    }

    init(_ name: String, _ result: ItemResult) {
        testDescription = name
        message = .daemon(.reply(.items(.result(result)), []))
    }

    private static func nested(_ depth: Int) -> AttributeValue {
        (0..<depth).reduce(.null) { value, _ in .array([value]) }
    }

    private static func entries(_ count: Int, _ value: AttributeValue) -> AttributeDictionary {
        AttributeDictionary(SortedEntries((0..<count).map { ("\($0)", value) }))
    }

    private static let secret = AttributeValue.secret(SharedSecret(Secret(copying: [1])))
    private static let large = AttributeValue.secret(
        SharedSecret(Secret(copying: [UInt8](repeating: 1, count: 4097)))
    )
    private static let list = AttributeValue.array(Array(repeating: .null, count: 65_536))

    static let allowed: [Excess] = [
        Excess("eight levels of arrays", .add(["a": nested(8)])),
        Excess("4096 entries", .add(entries(4096, .null))),
        Excess("65,536 elements", .add(["a": list])),
        Excess("4096 secrets", .add(entries(4096, secret))),
        Excess("64 large secrets", .add(entries(64, large))),
        Excess("16 MiB", .add(["a": .data([UInt8](repeating: 0, count: 16 << 20))])),
        Excess("many results", .array(Array(repeating: .nothing, count: 1_000_000))),
    ]

    static let refused: [Excess] = [
        Excess("nine levels of arrays", .add(["a": nested(9)])),
        Excess("4097 entries", .add(entries(4097, .null))),
        Excess("65,537 elements", .add(["a": .array(Array(repeating: .null, count: 65_537))])),
        Excess("five times 65,536 elements", .add(entries(5, list))),
        Excess("4097 secrets", .update(entries(4096, secret), with: ["a": secret])),
        Excess("65 large secrets", .add(entries(65, large))),
        Excess("17 MiB", .add(["a": .data([UInt8](repeating: 0, count: 17 << 20))])),
        Excess("a result too many", .array(Array(repeating: .nothing, count: 1_000_001))),
        Excess("nine levels of results", .array([.array([.array([.array([deepResult])])])])),
    ]

    private static let deepResult = ItemResult.array([.array([.array([.array([.array([])])])])])
}

@Suite(.requirement("DMN-16")) struct `A limit of the wire` {
    @Test(arguments: Excess.allowed)
    fileprivate func `is reached`(excess: Excess) throws {
        let bytes = try excess.message.encoded()
        let arrived = try excess.message.side.decode(bytes)
        #expect(try arrived.encoded() == bytes)
    }

    @Test(arguments: Excess.refused)
    fileprivate func `is not passed by a writer, which then writes nothing`(
        excess: Excess
    ) throws {
        let error = try #require(throws: WireError.self) { try excess.message.encoded() }
        guard case .limitExceeded = error else {
            Issue.record("another error: \(error)")
            return
        }
    }

    @Test func `keeps a few bytes from taking much memory`() throws {
        let head = [2] + Array(1...16) + [1, 2] as [UInt8]
        let before = SecretArena.shared.usage.mappedByteCount
        let hostile: [[UInt8]] = [
            head + [0xFF, 0xFF, 0xFF, 0xFF], head + [0, 0, 0x10, 0],
            head + [0, 0, 0, 1, 0, 0, 0, 1, 97, 7, 0xFF, 0xFF, 0xFF, 0xF0],
            head + [0, 0, 0, 1, 0, 0, 0, 1, 97, 9, 0, 0, 0xFF, 0xFF],
        ]
        let accepted = hostile.filter { (try? WireSide.client.decode($0)) != nil }
        #expect(accepted == [])
        #expect(SecretArena.shared.usage.mappedByteCount - before < 1 << 20)
    }

    @Test func `leaves the buffer empty when a message cannot be written`() {
        var buffer = WireBuffer()
        let message = Excess.refused[0].message
        guard case .client(let request, let token) = message else { return }
        #expect(throws: WireError.limitExceeded("depth")) {
            try request.encode(token: token, into: &buffer)
        }
        #expect(buffer.byteCount == 0)
    }
}

@Suite struct `Keys on the wire` {
    /// Swift orders texts by their characters in composed form, the wire by bytes.
    @Test func `ascend by their bytes even where Swift orders them otherwise`() throws {
        let composed = "\u{F900}"
        let keys = [composed, "\u{9000}", "a"]
        #expect(keys.sorted() != keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        let values = SortedEntries(keys.map { ($0, AttributeValue.string($0)) })
        let message = WireMessage.client(
            .request(.items(.add(AttributeDictionary(values)))),
            token: WireSample.token
        )
        let arrived = try WireSide.client.decode(try message.encoded())
        #expect(arrived.content == message.content)
    }
}

@Suite struct `A session token` {
    private static let token = SessionToken(SharedSecret(Secret(copying: Array(1...16))))

    private func received(_ bytes: [UInt8]) -> ReceivedToken {
        bytes.withUnsafeBytes { ReceivedToken($0) }
    }

    @Test func `matches itself`() {
        #expect(received(Array(1...16)).matches(Self.token))
        #expect(!received(Array(1...16)).isZero)
        #expect(received([UInt8](repeating: 0, count: 16)).isZero)
    }

    @Test(arguments: SpoiledBytes.flipped(Array(1...16), 0x40))
    func `matches nothing that differs in a bit`(bytes: [UInt8]) {
        #expect(!received(bytes).matches(Self.token))
        #expect(!received(bytes).isZero)
    }

    @Test func `of another size matches nothing and is never sent`() {
        let short = SessionToken(SharedSecret(Secret(copying: Array(1...15))))
        #expect(!received(Array(1...16)).matches(short))
        var buffer = WireBuffer()
        #expect(throws: WireError.invalidValue("session token")) {
            try ClientMessage.becomeAgent.encode(token: short, into: &buffer)
        }
    }

    @Test func `is not shown`() {
        #expect("\(received(Array(1...16)))" == "ReceivedToken(16 bytes)")
        #expect("\(Self.token.secret)" == "Secret(16 bytes)")
    }
}
