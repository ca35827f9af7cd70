import Cryptography
import Secrets
import TestSupport
import Testing

@Suite(.requirement("STO-02")) struct `Sealing with AES-GCM` {
    struct Vector: Sendable, CustomTestStringConvertible {
        let name: String
        let key: Hex
        let nonce: Hex
        let authenticated: Hex
        let plaintext: Hex
        let sealed: Hex

        var testDescription: String { name }
    }

    // McGrew and Viega, "The Galois/Counter Mode of Operation", appendix B.
    static let vectors: [Vector] = [
        Vector(
            name: "test case 13",
            key: "0000000000000000000000000000000000000000000000000000000000000000",
            nonce: "000000000000000000000000",
            authenticated: "",
            plaintext: "",
            sealed: "530f8afbc74536b9a963b4f1c4cb738b"
        ),
        Vector(
            name: "test case 14",
            key: "0000000000000000000000000000000000000000000000000000000000000000",
            nonce: "000000000000000000000000",
            authenticated: "",
            plaintext: "00000000000000000000000000000000",
            sealed: "cea7403d4d606b6e074ec5d3baf39d18 d0d1c8a799996bf0265b98b5d48ab919"
        ),
        Vector(
            name: "test case 15",
            key: "feffe9928665731c6d6a8f9467308308 feffe9928665731c6d6a8f9467308308",
            nonce: "cafebabefacedbaddecaf888",
            authenticated: "",
            plaintext: """
                d9313225f88406e5a55909c5aff5269a 86a7a9531534f7da2e4c303d8a318a72
                1c3c0c95956809532fcf0e2449a6b525 b16aedf5aa0de657ba637b391aafd255
                """,
            sealed: """
                522dc1f099567d07f47f37a32a84427d 643a8cdcbfe5c0c97598a2bd2555d1aa
                8cb08e48590dbb3da7b08b1056828838 c5f61e6393ba7a0abcc9f662898015ad
                b094dac5d93471bdec1a502270e3cc6c
                """
        ),
        Vector(
            name: "test case 16",
            key: "feffe9928665731c6d6a8f9467308308 feffe9928665731c6d6a8f9467308308",
            nonce: "cafebabefacedbaddecaf888",
            authenticated: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            plaintext: """
                d9313225f88406e5a55909c5aff5269a 86a7a9531534f7da2e4c303d8a318a72
                1c3c0c95956809532fcf0e2449a6b525 b16aedf5aa0de657ba637b39
                """,
            sealed: """
                522dc1f099567d07f47f37a32a84427d 643a8cdcbfe5c0c97598a2bd2555d1aa
                8cb08e48590dbb3da7b08b1056828838 c5f61e6393ba7a0abcc9f662
                76fc6ece0f4e1768cddf8853bb2d551b
                """
        ),
    ]

    static let key = [UInt8](repeating: 0x42, count: 32)
    static let nonce = [UInt8](repeating: 0x24, count: 12)

    @Test(arguments: vectors)
    func `gives the published result`(vector: Vector) throws {
        let key = Secret(copying: vector.key.bytes)
        let sealed = try AESGCM.seal(
            vector.plaintext.bytes,
            key: key,
            nonce: vector.nonce.bytes,
            authenticating: vector.authenticated.bytes
        )
        #expect(sealed == vector.sealed.bytes)
    }

    @Test(arguments: vectors)
    func `is undone by opening`(vector: Vector) throws {
        let key = Secret(copying: vector.key.bytes)
        let opened = try AESGCM.open(
            vector.sealed.bytes,
            key: key,
            nonce: vector.nonce.bytes,
            authenticating: vector.authenticated.bytes
        )
        #expect(opened.copyBytesUnprotected() == vector.plaintext.bytes)
    }

    @Test func `treats a secret and its bytes alike, and opens a slice`() throws {
        let key = Secret(copying: Self.key)
        let sealed = try AESGCM.seal(
            Secret(copying: [1, 2, 3]),
            key: key,
            nonce: Self.nonce,
            authenticating: []
        )
        let framed = [0xFF] + sealed + [0xFF]
        let opened = try AESGCM.open(
            framed[1..<framed.count - 1],
            key: key,
            nonce: Self.nonce,
            authenticating: []
        )
        #expect(opened.copyBytesUnprotected() == [1, 2, 3])
    }

    @Test(arguments: 0..<24)
    func `notices a changed bit in any sealed byte`(position: Int) throws {
        let key = Secret(copying: Self.key)
        var sealed = try AESGCM.seal(
            [1, 2, 3, 4, 5, 6, 7, 8],
            key: key,
            nonce: Self.nonce,
            authenticating: [9]
        )
        sealed[position] ^= 1 << (position % 8)
        #expect(throws: CryptographyError.authenticationFailed) {
            try open(sealed, key: Self.key, nonce: Self.nonce, authenticating: [9])
        }
    }

    struct Mismatch: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var key = `Sealing with AES-GCM`.key
        var nonce = `Sealing with AES-GCM`.nonce
        var authenticated: [UInt8] = [9]
    }

    @Test(arguments: [
        Mismatch(testDescription: "another key", key: [UInt8](repeating: 0x43, count: 32)),
        Mismatch(testDescription: "another nonce", nonce: [UInt8](repeating: 0x25, count: 12)),
        Mismatch(testDescription: "other authenticated data", authenticated: [8]),
        Mismatch(testDescription: "more authenticated data", authenticated: [9, 0]),
        Mismatch(testDescription: "no authenticated data", authenticated: []),
    ])
    func `does not open with`(mismatch: Mismatch) throws {
        let sealed = try AESGCM.seal(
            [1, 2, 3],
            key: Secret(copying: Self.key),
            nonce: Self.nonce,
            authenticating: [9]
        )
        #expect(throws: CryptographyError.authenticationFailed) {
            try open(
                sealed,
                key: mismatch.key,
                nonce: mismatch.nonce,
                authenticating: mismatch.authenticated
            )
        }
    }

    @Test(arguments: [0, 1, 15])
    func `does not open what is shorter than a tag`(byteCount: Int) {
        #expect(throws: CryptographyError.authenticationFailed) {
            try open(
                [UInt8](repeating: 0, count: byteCount),
                key: Self.key,
                nonce: Self.nonce,
                authenticating: []
            )
        }
    }

    @Test(arguments: [0, 16, 31, 33])
    func `refuses a key of another size`(byteCount: Int) {
        let key = [UInt8](repeating: 1, count: byteCount)
        #expect(throws: CryptographyError.invalidKeySize(expected: 32, actual: byteCount)) {
            try AESGCM.seal(
                [1],
                key: Secret(copying: key),
                nonce: Self.nonce,
                authenticating: []
            )
        }
        #expect(throws: CryptographyError.invalidKeySize(expected: 32, actual: byteCount)) {
            try open(
                [UInt8](repeating: 0, count: 20),
                key: key,
                nonce: Self.nonce,
                authenticating: []
            )
        }
    }

    @Test(arguments: [0, 8, 11, 13, 16])
    func `refuses a nonce of another size`(byteCount: Int) {
        #expect(throws: CryptographyError.invalidInput("nonce not of 12 bytes")) {
            try AESGCM.seal(
                [1],
                key: Secret(copying: Self.key),
                nonce: [UInt8](repeating: 1, count: byteCount),
                authenticating: []
            )
        }
    }

    private func open(
        _ sealed: [UInt8],
        key: [UInt8],
        nonce: [UInt8],
        authenticating authenticated: [UInt8]
    ) throws -> Int {
        try AESGCM.open(
            sealed,
            key: Secret(copying: key),
            nonce: nonce,
            authenticating: authenticated
        ).byteCount
    }
}
