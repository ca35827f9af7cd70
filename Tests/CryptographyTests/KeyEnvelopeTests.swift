import Cryptography
import Secrets
import TestSupport
import Testing

@Suite(.requirement("STO-02"), .requirement("STO-03")) struct `A key envelope` {
    private static let wrappingKey = [UInt8](0..<32)
    private static let key = [UInt8](32..<64)
    private static let nonce = [UInt8](64..<76)
    private static let associated = [UInt8](80..<90)

    private static func seal(_ plaintext: [UInt8]) throws -> [UInt8] {
        try KeyEnvelope.seal(
            Secret(copying: plaintext),
            key: Secret(copying: key),
            nonce: nonce,
            under: Secret(copying: wrappingKey),
            authenticating: associated
        )
    }

    private static func open(
        _ envelope: [UInt8],
        under wrappingKey: [UInt8] = wrappingKey,
        authenticating associated: [UInt8] = associated
    ) throws(CryptographyError) -> [UInt8] {
        try KeyEnvelope.open(
            envelope[...],
            under: Secret(copying: wrappingKey),
            authenticating: associated
        ).copyBytesUnprotected()
    }

    @Test(arguments: [0, 1, 15, 16, 17, 1024, 5000])
    func `is undone by opening`(byteCount: Int) throws {
        let plaintext = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0) }
        let envelope = try Self.seal(plaintext)
        #expect(envelope.count == byteCount + 76)
        #expect(try Self.open(envelope) == plaintext)
    }

    @Test func `is the nonce, the key under the wrapping key, and the content under the key`()
        throws
    {
        let envelope = try Self.seal([1, 2, 3])
        #expect(Array(envelope[..<12]) == Self.nonce)
        let key = try AESGCM.open(
            envelope[12..<60],
            key: Secret(copying: Self.wrappingKey),
            nonce: Self.nonce,
            authenticating: Self.associated
        )
        #expect(key.copyBytesUnprotected() == Self.key)
        let content = try AESGCM.open(
            envelope[60...],
            key: key,
            nonce: Self.nonce,
            authenticating: []
        )
        #expect(content.copyBytesUnprotected() == [1, 2, 3])
    }

    @Test func `does not open when a bit of any byte differs`() throws {
        let envelope = try Self.seal([UInt8](repeating: 7, count: 40))
        let failures = SpoiledBytes.flipped(envelope, 0x10).map { changed in
            failure { try Self.open(changed) } as? CryptographyError
        }
        #expect(failures == envelope.map { _ in .authenticationFailed })
    }

    @Test func `does not open when it is cut`() throws {
        let envelope = try Self.seal([1, 2, 3])
        let failures = SpoiledBytes.cut(envelope).map { part in
            failure { try Self.open(part) } as? CryptographyError
        }
        #expect(failures == envelope.map { _ in .authenticationFailed })
    }

    @Test func `opens under its own wrapping key`() throws {
        let envelope = try Self.seal([1, 2, 3])
        #expect(throws: CryptographyError.authenticationFailed) {
            try Self.open(envelope, under: Self.key)
        }
    }

    @Test(arguments: [ByteChange.emptied, .oneByteMore, .lastByteMissing])
    func `opens with its own associated data`(change: ByteChange) throws {
        let envelope = try Self.seal([1, 2, 3])
        #expect(throws: CryptographyError.authenticationFailed) {
            try Self.open(envelope, authenticating: change(Self.associated))
        }
    }

    @Test func `takes keys of 32 bytes and nonces of 12`() throws {
        #expect(throws: CryptographyError.invalidKeySize(expected: 32, actual: 31)) {
            try Self.open(try Self.seal([1]), under: [UInt8](0..<31))
        }
        #expect(throws: CryptographyError.self) {
            try KeyEnvelope.seal(
                Secret(copying: [1]),
                key: Secret(copying: Self.key),
                nonce: [1, 2, 3],
                under: Secret(copying: Self.wrappingKey),
                authenticating: []
            )
        }
    }
}
