import Cryptography
import Secrets
import TestSupport
import Testing

@Suite struct `Authenticating a message` {
    struct Vector: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let key: [UInt8]
        let message: [UInt8]
        let code: Hex
    }

    static let vectors: [Vector] = [
        Vector(
            testDescription: "RFC 4231 case 1",
            key: [UInt8](repeating: 0x0B, count: 20),
            message: [UInt8]("Hi There".utf8),
            code: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        Vector(
            testDescription: "RFC 4231 case 2",
            key: [UInt8]("Jefe".utf8),
            message: [UInt8]("what do ya want for nothing?".utf8),
            code: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        Vector(
            testDescription: "RFC 4231 case 3",
            key: [UInt8](repeating: 0xAA, count: 20),
            message: [UInt8](repeating: 0xDD, count: 50),
            code: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        Vector(
            testDescription: "RFC 4231 case 6",
            key: [UInt8](repeating: 0xAA, count: 131),
            message: [UInt8]("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            code: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        Vector(
            testDescription: "empty key and message",
            key: [],
            message: [],
            code: "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"
        ),
    ]

    @Test(arguments: vectors)
    func `gives the published code`(vector: Vector) throws {
        let code = try HMACSHA256.authenticate(vector.message, key: Secret(copying: vector.key))
        #expect(code == vector.code.bytes)
    }

    @Test(arguments: vectors)
    func `gives it again from a prepared key`(vector: Vector) throws {
        let authenticator = try MessageAuthenticator(key: Secret(copying: vector.key))
        #expect(try authenticator.authenticate(vector.message) == vector.code.bytes)
        #expect(try authenticator.authenticate(vector.message) == vector.code.bytes)
    }

    @Test func `works in many tasks at once from one prepared key`() async throws {
        let key = [UInt8](repeating: 3, count: 32)
        let authenticator = try MessageAuthenticator(key: Secret(copying: key))
        let agreeing = try await withThrowingTaskGroup(of: Bool.self) { group in
            for mark in UInt8(0)..<64 {
                group.addTask {
                    let message = [UInt8](repeating: mark, count: Int(mark) * 3)
                    let expected = try HMACSHA256.authenticate(message, key: Secret(copying: key))
                    return try (0..<50).allSatisfy { _ in
                        try authenticator.authenticate(message) == expected
                    }
                }
            }
            return try await group.reduce(into: 0) { count, agrees in count += agrees ? 1 : 0 }
        }
        #expect(agreeing == 64)
    }
}
