import Cryptography
import Secrets
import Testing

@Suite struct `Deriving a key` {
    struct Vector: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let inputKey: [UInt8]
        let salt: [UInt8]
        let info: [UInt8]
        let derived: Hex
    }

    static let vectors: [Vector] = [
        Vector(
            testDescription: "RFC 5869 A.1",
            inputKey: [UInt8](repeating: 0x0B, count: 22),
            salt: [UInt8](0x00...0x0C),
            info: [UInt8](0xF0...0xF9),
            derived: """
                3cb25f25faacd57a90434f64d0362f2a 2d2d0a90cf1a5a4c5db02d56ecc4c5bf
                34007208d5b887185865
                """
        ),
        Vector(
            testDescription: "RFC 5869 A.2",
            inputKey: [UInt8](0x00...0x4F),
            salt: [UInt8](0x60...0xAF),
            info: [UInt8](0xB0...0xFF),
            derived: """
                b11e398dc80327a1c8e7f78c596a4934 4f012eda2d4efad8a050cc4c19afa97c
                59045a99cac7827271cb41c65e590e09 da3275600c2f09b8367793a9aca3db71
                cc30c58179ec3e87c14c01d5c1f3434f 1d87
                """
        ),
        Vector(
            testDescription: "RFC 5869 A.3",
            inputKey: [UInt8](repeating: 0x0B, count: 22),
            salt: [],
            info: [],
            derived: """
                8da4e775a563c18f715f802a063c5a31 b8a11f5c5ee1879ec3454e5f3c738d2d
                9d201395faa4b61a96c8
                """
        ),
    ]

    @Test(arguments: vectors)
    func `gives the published result`(vector: Vector) throws {
        let derived = try HKDF.deriveKey(
            from: Secret(copying: vector.inputKey),
            salt: vector.salt,
            info: vector.info,
            byteCount: vector.derived.bytes.count
        )
        #expect(derived.copyBytesUnprotected() == vector.derived.bytes)
    }

    @Test(arguments: vectors)
    func `gives the same with SHA-256 by name`(vector: Vector) throws {
        let derived = try HKDF.deriveKey(
            from: Secret(copying: vector.inputKey),
            salt: vector.salt,
            info: vector.info,
            byteCount: vector.derived.bytes.count,
            hash: .sha256
        )
        #expect(derived.copyBytesUnprotected() == vector.derived.bytes)
    }

    /// Made by `openssl kdf`.
    @Test(
        arguments: [
            (
                .sha384,
                """
                9b5097a86038b805309076a44b3a9f38063e25b516dcbf369f394cfab43685f7
                48b6457763e4f0204fc5d95d1da3e62587b22eb8943d0fab6bb631a2fe9df1a6
                8c6ce5d56116a52005b3f122b88b39b7251fcd6c44d3ef25f20ed96802bf1b2c
                1d98bf74
                """
            ),
            (
                .sha512,
                """
                832390086cda71fb47625bb5ceb168e4c8e26a1a16ed34d9fc7fe92c14815793
                38da362cb8d9f925d7cbcce0dff7098769cf15959867d571c1715450cb530137
                be3fb62f3cf32b84feba8f1eb1b563e20d9749b8640b8264c4b69b14ad519911
                5e1d609c
                """
            ),
        ] as [(HashAlgorithm, Hex)]
    )
    func `gives what OpenSSL gives with larger hashes`(hash: HashAlgorithm, expected: Hex) throws {
        let derived = try HKDF.deriveKey(
            from: Secret(copying: [UInt8](repeating: 0x0B, count: 22)),
            salt: [UInt8](0x00...0x0C),
            info: [UInt8](0xF0...0xF9),
            byteCount: expected.bytes.count,
            hash: hash
        )
        #expect(derived.copyBytesUnprotected() == expected.bytes)
    }

    @Test(arguments: [0, -1, 255 * 48 + 1])
    func `gives no other sizes with larger hashes`(byteCount: Int) throws {
        #expect(throws: CryptographyError.self) {
            _ = try HKDF.deriveKey(
                from: Secret(copying: [1]),
                salt: [],
                info: [],
                byteCount: byteCount,
                hash: .sha384
            )
        }
    }

    @Test(arguments: [1, 32, 8160])
    func `gives as many bytes as asked for`(byteCount: Int) throws {
        let derived = try HKDF.deriveKey(
            from: Secret(copying: [1]),
            salt: [],
            info: [UInt8](repeating: 7, count: HKDF.infoByteCountLimit),
            byteCount: byteCount
        )
        #expect(derived.byteCount == byteCount)
    }

    @Test(arguments: [-1, 0, 8161])
    func `refuses an impossible size`(byteCount: Int) {
        #expect(throws: CryptographyError.invalidInput("derived key not of 1 to 8160 bytes")) {
            _ = try HKDF.deriveKey(
                from: Secret(copying: [1]),
                salt: [],
                info: [],
                byteCount: byteCount
            )
        }
    }

    @Test func `refuses an empty input key`() {
        #expect(throws: CryptographyError.invalidInput("empty input key")) {
            _ = try HKDF.deriveKey(from: Secret(copying: []), salt: [], info: [], byteCount: 32)
        }
    }

    @Test func `refuses more context than the limit`() {
        #expect(throws: CryptographyError.invalidInput("info over 1024 bytes")) {
            _ = try HKDF.deriveKey(
                from: Secret(copying: [1]),
                salt: [],
                info: [UInt8](repeating: 0, count: 1025),
                byteCount: 32
            )
        }
    }
}
