import Cryptography
import Secrets
import Testing

@Suite struct `Deriving a key from an agreed secret` {
    struct Vector: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let hash: HashAlgorithm
        let secret: Hex
        let sharedInfo: Hex
        let key: Hex
    }

    // NIST CAVP, ANS X9.63-2001.
    @Test(arguments: [
        Vector(
            testDescription: "SHA-1",
            hash: .sha1,
            secret: "1c7d7b5f0597b03d06a018466ed1a93e30ed4b04dc64ccdd",
            sharedInfo: "",
            key: "bf71dffd8f4d99223936beb46fee8ccc"
        ),
        Vector(
            testDescription: "SHA-256",
            hash: .sha256,
            secret: "96c05619d56c328ab95fe84b18264b08725b85e33fd34f08",
            sharedInfo: "",
            key: "443024c3dae66b95e6f5670601558f71"
        ),
        Vector(
            testDescription: "SHA-256 with shared information",
            hash: .sha256,
            secret: "22518b10e70f2a3f243810ae3254139efbee04aa57c7af7d",
            sharedInfo: "75eef81aa3041e33b80971203d2c0c52",
            key: """
                c498af77161cc59f2962b9a713e2b215152d139766ce34a776df11866a69bf2e
                52a13d9c7c6fc878c50c5ea0bc7b00e0da2447cfd874f6cf92f30d0097111485
                500c90c3af8b487872d04685d14c8d1dc8d7fa08beb0ce0ababc11f0bd496269
                142d43525a78e5bc79a17f59676a5706dc54d54d4d1f0bd7e386128ec26afc21
                """
        ),
    ])
    func `gives the published result`(vector: Vector) throws {
        let key = try X963KDF.deriveKey(
            from: Secret(copying: vector.secret.bytes),
            sharedInfo: vector.sharedInfo.bytes,
            byteCount: vector.key.bytes.count,
            hash: vector.hash
        )
        #expect(key.copyBytesUnprotected() == vector.key.bytes)
    }

    @Test(arguments: HashAlgorithm.allCases, [1, 16, 65, 1000])
    func `agrees with the openssl command`(hash: HashAlgorithm, byteCount: Int) throws {
        let key = try X963KDF.deriveKey(
            from: Secret(copying: [1, 2, 3, 4]),
            sharedInfo: [0xAB, 0xCD],
            byteCount: byteCount,
            hash: hash
        )
        let theirs = try OpenSSLWorkshop().run(
            """
            kdf -keylen \(byteCount) -kdfopt digest:\(hash) -kdfopt hexkey:01020304 \
            -kdfopt hexinfo:ABCD -binary X963KDF
            """
        )
        #expect(key.copyBytesUnprotected() == theirs)
    }

    @Test(arguments: [-1, 0, (1 << 20) + 1])
    func `refuses an impossible size`(byteCount: Int) {
        #expect(throws: CryptographyError.invalidInput("derived key not of 1 byte to 1 MiB")) {
            _ = try X963KDF.deriveKey(
                from: Secret(copying: [1]),
                sharedInfo: [],
                byteCount: byteCount,
                hash: .sha256
            )
        }
    }

    @Test func `refuses an empty secret`() {
        #expect(throws: CryptographyError.invalidInput("empty secret")) {
            _ = try X963KDF.deriveKey(
                from: Secret(copying: []),
                sharedInfo: [],
                byteCount: 16,
                hash: .sha256
            )
        }
    }
}
