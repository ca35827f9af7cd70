import Cryptography
import Secrets
import TestSupport
import Testing

@Suite(.requirement("STO-03")) struct `Wrapping a key` {
    struct Vector: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let key: Hex
        let wrapped: Hex
    }

    static let wrappingKey = (0..<32).map { UInt8($0) }

    static let vectors: [Vector] = [
        Vector(
            testDescription: "RFC 3394 4.3",
            key: "00112233445566778899AABBCCDDEEFF",
            wrapped: "64E8C3F9CE0F5BA2 63E9777905818A2A 93C8191E7D6E8AE7"
        ),
        Vector(
            testDescription: "RFC 3394 4.5",
            key: "00112233445566778899AABBCCDDEEFF0001020304050607",
            wrapped: "A8F9BC1612C68B3F F6E6F4FBE30E71E4 769C8B80A32CB895 8CD5D17D6B254DA1"
        ),
        Vector(
            testDescription: "RFC 3394 4.6",
            key: "00112233445566778899AABBCCDDEEFF000102030405060708090A0B0C0D0E0F",
            wrapped: """
                28C9F404C4B810F4 CBCCB35CFB87F826 3F5786E2D80ED326
                CBC7F0E71A99F43B FB988B9B7A02DD21
                """
        ),
    ]

    @Test(arguments: vectors)
    func `gives the published result`(vector: Vector) throws {
        let wrapped = try AESKeyWrap.wrap(
            Secret(copying: vector.key.bytes),
            under: Secret(copying: Self.wrappingKey)
        )
        #expect(wrapped == vector.wrapped.bytes)
    }

    @Test(arguments: vectors)
    func `is undone by unwrapping`(vector: Vector) throws {
        let key = try AESKeyWrap.unwrap(
            vector.wrapped.bytes,
            under: Secret(copying: Self.wrappingKey)
        )
        #expect(key.copyBytesUnprotected() == vector.key.bytes)
    }

    @Test(arguments: 0..<40)
    func `notices a changed bit in any wrapped byte`(position: Int) {
        var wrapped = Self.vectors[2].wrapped.bytes
        wrapped[position] ^= 0x10
        #expect(throws: CryptographyError.authenticationFailed) {
            try unwrap(wrapped, under: Self.wrappingKey)
        }
    }

    @Test func `does not come undone under another key`() {
        #expect(throws: CryptographyError.authenticationFailed) {
            try unwrap(Self.vectors[2].wrapped.bytes, under: Self.wrappingKey.reversed())
        }
    }

    @Test(arguments: [0, 16, 31, 33])
    func `refuses a wrapping key of another size`(byteCount: Int) {
        #expect(throws: CryptographyError.invalidKeySize(expected: 32, actual: byteCount)) {
            try unwrap(
                Self.vectors[0].wrapped.bytes,
                under: [UInt8](repeating: 0, count: byteCount)
            )
        }
    }

    @Test(arguments: [0, 8, 15, 17, 4104])
    func `refuses a key it cannot divide into blocks`(byteCount: Int) {
        #expect(throws: CryptographyError.self) {
            try AESKeyWrap.wrap(
                Secret(copying: [UInt8](repeating: 0, count: byteCount)),
                under: Secret(copying: Self.wrappingKey)
            )
        }
    }

    @Test(arguments: [0, 7, 8, 16, 23, 25, 4112])
    func `refuses wrapped bytes of an impossible size`(byteCount: Int) {
        let problem = "wrapped key not of 16 to 4096 bytes in steps of 8"
        #expect(throws: CryptographyError.invalidInput(problem)) {
            try unwrap([UInt8](repeating: 0, count: byteCount), under: Self.wrappingKey)
        }
    }

    private func unwrap(_ wrapped: [UInt8], under key: [UInt8]) throws -> Int {
        try AESKeyWrap.unwrap(wrapped, under: Secret(copying: key)).byteCount
    }
}
