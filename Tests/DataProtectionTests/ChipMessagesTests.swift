import Secrets
import Testing

@testable import DataProtection

@Suite struct `A message about a chip` {
    private static let place = "swtpm:path=/run/tpm"
    private let key = [UInt8](repeating: 7, count: 200)

    private func request() -> ChipRequest {
        ChipRequest(authenticating: Secret(copying: [1, 2, 3]), under: key, at: Self.place)
    }

    private func decoded(_ bytes: [UInt8]) throws -> ChipRequest {
        try bytes.withUnsafeBytes { try ChipRequest(decoding: $0) }
    }

    private func reply(_ bytes: [UInt8]) throws -> ChipReply {
        try bytes.withUnsafeBytes { try ChipReply(decoding: $0) }
    }

    @Test func `has the bytes of the specification`() throws {
        let bytes = try ChipRequest(
            authenticating: Secret(copying: [9]),
            under: [5, 6],
            at: "x:y"
        ).encoded().copyBytesUnprotected()
        #expect(bytes == [1, 2, 0, 3] + Array("x:y".utf8) + [0, 2, 5, 6, 0, 1, 9])
        let make = try ChipRequest(makeKeyAt: "x").encoded().copyBytesUnprotected()
        #expect(make == [1, 1, 0, 1] + Array("x".utf8) + [0, 0, 0, 0])
        let done = ChipReply.done(SharedSecret(Secret(copying: [8]))).encoded()
        #expect(done.copyBytesUnprotected() == [1, 0, 0, 1, 8])
        let failed = ChipReply.failed("no").encoded().copyBytesUnprotected()
        #expect(failed == [1, 1, 0, 2] + Array("no".utf8))
    }

    @Test func `arrives as it was sent`() throws {
        let found = try decoded(request().encoded().copyBytesUnprotected())
        #expect(found.verb == .authenticate)
        #expect(found.place == Self.place)
        #expect(found.key == key)
        #expect(found.message.secret.copyBytesUnprotected() == [1, 2, 3])
        let make = try decoded(ChipRequest(makeKeyAt: "x").encoded().copyBytesUnprotected())
        #expect(make.verb == .makeKey)
    }

    @Test func `is refused if it is cut anywhere, or has more behind it`() throws {
        let bytes = try request().encoded().copyBytesUnprotected()
        for count in 0..<bytes.count {
            #expect(throws: DeviceError.self) { try decoded(Array(bytes.prefix(count))) }
        }
        #expect(throws: DeviceError.self) { try decoded(bytes + [0]) }
        let answer = ChipReply.failed("reason").encoded().copyBytesUnprotected()
        for count in 0..<answer.count {
            #expect(throws: DeviceError.self) { try reply(Array(answer.prefix(count))) }
        }
        #expect(throws: DeviceError.self) { try reply(answer + [0]) }
    }

    @Test(
        arguments: [
            [2, 1, 0, 1, 120, 0, 0, 0, 0], [1, 0, 0, 1, 120, 0, 0, 0, 0],
            [1, 3, 0, 1, 120, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0, 0, 0], [1, 1, 0, 1, 0, 0, 0, 0, 0],
            [1, 1, 0, 1, 255, 0, 0, 0, 0], [1, 1, 0, 1, 120, 0, 1, 9, 0, 0],
            [1, 1, 0, 1, 120, 0, 0, 0, 1, 9], [1, 2, 0, 1, 120, 0, 0, 0, 1, 9],
            [1, 1, 255, 255, 120], [1, 2, 0, 1, 120, 255, 255, 9],
        ] as [[UInt8]]
    )
    func `of a request with a wrong field is refused`(bytes: [UInt8]) {
        #expect(throws: DeviceError.self) { try decoded(bytes) }
    }

    @Test(
        arguments: [
            [2, 0, 0, 1, 8], [1, 2, 0, 1, 8], [1, 0, 0, 0], [1, 0, 8, 1, 0], [1, 1, 0, 1, 255],
            [1, 1, 4, 1, 0], [],
        ] as [[UInt8]]
    )
    func `of a reply with a wrong field is refused`(bytes: [UInt8]) {
        #expect(throws: DeviceError.self) { try reply(bytes) }
    }

    @Test func `is not sent with more than a chip takes`() {
        let long = Secret(copying: [UInt8](repeating: 0, count: 129))
        #expect(throws: DeviceError.self) {
            _ = try ChipRequest(authenticating: long, under: key, at: "x").encoded()
        }
        #expect(throws: DeviceError.self) {
            _ = try ChipRequest(makeKeyAt: String(repeating: "x", count: 1_025)).encoded()
        }
        #expect(throws: DeviceError.self) { _ = try ChipRequest(makeKeyAt: "").encoded() }
    }

    @Test func `has a reason that is cut between letters`() throws {
        let reason = String(repeating: "ä", count: 4_000)
        let bytes = ChipReply.failed(reason).encoded().copyBytesUnprotected()
        guard case .failed(let cut) = try reply(bytes) else {
            return #expect(Bool(false), "it is no failure")
        }
        #expect(reason.hasPrefix(cut))
        #expect(cut.utf8.count <= 1_024)
    }
}
