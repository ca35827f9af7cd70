import Secrets
import TestSupport
import Testing

@testable import Cryptography

@Suite struct `Wrapping a key of a session` {
    struct Vector: CustomStringConvertible {
        let description: String
        let padding: SessionKeyWrap.Padding
        let wrappingKey: String
        let key: String
        let wrapped: String
    }

    /// RFC 3394 §4.1 and §4.4; RFC 5649 §6.
    private static let vectors: [Vector] = [
        .init(
            description: "128 bits under 128",
            padding: .none,
            wrappingKey: "000102030405060708090a0b0c0d0e0f",
            key: "00112233445566778899aabbccddeeff",
            wrapped: "1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5"
        ),
        .init(
            description: "192 bits under 192",
            padding: .none,
            wrappingKey: "000102030405060708090a0b0c0d0e0f1011121314151617",
            key: "00112233445566778899aabbccddeeff0001020304050607",
            wrapped: "031d33264e15d33268f24ec260743edce1c6c7ddee725a936ba814915c6762d2"
        ),
        .init(
            description: "20 bytes with padding",
            padding: .padded,
            wrappingKey: "5840df6e29b02af1ab493b705bf16ea1ae8338f4dcc176a8",
            key: "c37b7e6492584340bed12207808941155068f738",
            wrapped: "138bdeaa9b8fa7fc61f97742e72248ee5ae6ae5360d1ae6a5f54f373fa543b6a"
        ),
        .init(
            description: "7 bytes with padding",
            padding: .padded,
            wrappingKey: "5840df6e29b02af1ab493b705bf16ea1ae8338f4dcc176a8",
            key: "466f7250617369",
            wrapped: "afbeb0f07dfbf5419200f2ccb50bb24f"
        ),
    ]

    private static func bytes(_ text: String) -> [UInt8] {
        let digits = Array(text.utf8).map { $0 < 0x3A ? $0 - 0x30 : $0 - 0x57 }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    @Test(arguments: vectors)
    func `follows the standards`(vector: Vector) throws {
        let wrappingKey = Secret(copying: Self.bytes(vector.wrappingKey))
        let key = Self.bytes(vector.key)
        let wrapped = try SessionKeyWrap.wrap(
            Secret(copying: key),
            under: wrappingKey,
            vector.padding
        )
        #expect(wrapped == Self.bytes(vector.wrapped))
        let again = try SessionKeyWrap.unwrap(wrapped, under: wrappingKey, vector.padding)
        #expect(again.copyBytesUnprotected() == key)
        var changed = wrapped
        changed[9] ^= 0x10
        let bytes = changed
        #expect(throws: CryptographyError.authenticationFailed) {
            _ = try SessionKeyWrap.unwrap(bytes, under: wrappingKey, vector.padding)
                .copyBytesUnprotected()
        }
    }
}
