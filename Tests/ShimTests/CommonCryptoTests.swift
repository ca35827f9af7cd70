import CommonCrypto
import Foundation
import TestSupport
import Testing

/// The deprecated functions, called without the warnings that client code gets.
private protocol BrokenHashes {
    static func md2(_ text: String) -> [UInt8]
    static func md4(_ text: String) -> [UInt8]
    static func md5(_ text: String) -> [UInt8]
}

private enum Deprecated {
    static var hashes: any BrokenHashes.Type { Hashes.self }

    private enum Hashes: BrokenHashes {
        @available(*, deprecated)
        static func md2(_ text: String) -> [UInt8] {
            written(16) { CC_MD2(text, length(text), &$0) }
        }
        @available(*, deprecated)
        static func md4(_ text: String) -> [UInt8] {
            written(16) { CC_MD4(text, length(text), &$0) }
        }
        @available(*, deprecated)
        static func md5(_ text: String) -> [UInt8] {
            written(16) { CC_MD5(text, length(text), &$0) }
        }
    }
}

/// The bytes of hexadecimal digits.
func octets(_ hex: String) -> [UInt8] { Array(bytes(hex)) }

private func length(_ text: String) -> CC_LONG { CC_LONG(text.utf8.count) }

private func written(_ count: Int32, _ write: (inout [UInt8]) -> Void) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(count))
    write(&bytes)
    return bytes
}

@Suite struct `CommonCrypto's hashes` {
    @Test(arguments: [
        ("", "8350e5a3e24c153df2275c9f80692773"), ("abc", "da853b0d3f88d99b30283a69e6ded6bb"),
        ("message digest", "ab4f496bfb2a530b219ff33031fe06b0"),
        (
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
            "da33def2a42df13975352846c30338cd"
        ),
    ])
    func `have MD2 of RFC 1319`(text: String, hash: String) {
        #expect(Deprecated.hashes.md2(text) == octets(hash))
    }

    @Test func `are those of the standards`() {
        #expect(Deprecated.hashes.md4("abc") == octets("a448017aaf21d8525fc10ae87aa6729d"))
        #expect(Deprecated.hashes.md5("abc") == octets("900150983cd24fb0d6963f7d28e17f72"))
        #expect(
            written(CC_SHA1_DIGEST_LENGTH) { CC_SHA1("abc", 3, &$0) }
                == octets("a9993e364706816aba3e25717850c26c9cd0d89d")
        )
        #expect(
            written(CC_SHA224_DIGEST_LENGTH) { CC_SHA224("abc", 3, &$0) }
                == octets("23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7")
        )
        #expect(
            written(CC_SHA384_DIGEST_LENGTH) { CC_SHA384("abc", 3, &$0) }
                == octets(
                    "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
                        + "8086072ba1e7cc2358baeca134c825a7"
                )
        )
        #expect(
            written(CC_SHA512_DIGEST_LENGTH) { CC_SHA512("abc", 3, &$0) }.prefix(8)
                == octets("ddaf35a193617aba")[...]
        )
    }

    // Code of its time allocates the state and lets `Init` write it.
    @Test func `begin in memory that was never written, and may be copied in the middle`() {
        let context = UnsafeMutablePointer<CC_SHA256_CTX>.allocate(capacity: 1)
        defer { context.deallocate() }
        memset(context, 0xFF, MemoryLayout<CC_SHA256_CTX>.size)
        #expect(CC_SHA256_Init(context) == 1)
        #expect(CC_SHA256_Update(context, "a", 1) == 1)
        var copy = context.pointee
        CC_SHA256_Update(context, "bc", 2)
        CC_SHA256_Update(&copy, "x", 1)
        let hash = written(CC_SHA256_DIGEST_LENGTH) { CC_SHA256_Final(&$0, context) }
        let other = written(CC_SHA256_DIGEST_LENGTH) { CC_SHA256_Final(&$0, &copy) }
        #expect(hash == written(CC_SHA256_DIGEST_LENGTH) { CC_SHA256("abc", 3, &$0) })
        #expect(other == written(CC_SHA256_DIGEST_LENGTH) { CC_SHA256("ax", 2, &$0) })
        #expect(hash.prefix(4) == octets("ba7816bf")[...])
    }

    @Test func `refuse no memory`() {
        #expect(CC_SHA256("abc", 3, nil) == nil)
        #expect(CC_SHA256_Init(nil) == 0)
        #expect(written(CC_SHA256_DIGEST_LENGTH) { CC_SHA256(nil, 0, &$0) }[0] == 0xE3)
    }
}

@Suite struct `CommonCrypto's authentication codes` {
    // RFC 4231 §4.3 and §4.7, RFC 2202 §2 and §3.
    @Test(arguments: [
        (kCCHmacAlgMD5, "750c783e6ab0b503eaa86e310a5db738"),
        (kCCHmacAlgSHA1, "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
        (kCCHmacAlgSHA224, "a30e01098bc6dbbf45690f3a7e9e6d0f8bbea2a39e6148008fd05e44"),
        (kCCHmacAlgSHA256, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        (
            kCCHmacAlgSHA384,
            "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e"
                + "8e2240ca5e69e2c78b3239ecfab21649"
        ),
        (
            kCCHmacAlgSHA512,
            "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
                + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
        ),
    ])
    func `are those of the standards, whole and in parts`(algorithm: Int, code: String) {
        let expected = octets(code)
        let message = "what do ya want for nothing?"
        let count = Int32(expected.count)
        #expect(
            written(count) {
                CCHmac(CCHmacAlgorithm(algorithm), "Jefe", 4, message, message.utf8.count, &$0)
            } == expected
        )
        var context = CCHmacContext()
        CCHmacInit(&context, CCHmacAlgorithm(algorithm), "Jefe", 4)
        CCHmacUpdate(&context, "what do ya want ", 16)
        CCHmacUpdate(&context, "for nothing?", 12)
        #expect(written(count) { CCHmacFinal(&context, &$0) } == expected)
    }

    @Test func `hash a key that is longer than a block`() {
        let key = [UInt8](repeating: 0xAA, count: 131)
        let message = "Test Using Larger Than Block-Size Key - Hash Key First"
        let code = written(CC_SHA256_DIGEST_LENGTH) {
            CCHmac(CCHmacAlgorithm(kCCHmacAlgSHA256), key, 131, message, message.utf8.count, &$0)
        }
        #expect(
            code == octets("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
        )
    }
}

@Suite struct `CommonCrypto's keys from passwords` {
    // RFC 6070, and RFC 7914 §11.
    @Test func `are those of the standards`() {
        var key = [UInt8](repeating: 0, count: 20)
        #expect(
            CCKeyDerivationPBKDF(
                CCPBKDFAlgorithm(kCCPBKDF2),
                "password",
                8,
                Array("salt".utf8),
                4,
                CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA1),
                4_096,
                &key,
                key.count
            ) == kCCSuccess
        )
        #expect(key == octets("4b007901b765489abead49d926f721d065a429c1"))
        key = [UInt8](repeating: 0, count: 16)
        #expect(
            CCKeyDerivationPBKDF(
                CCPBKDFAlgorithm(kCCPBKDF2),
                "passwd",
                6,
                Array("salt".utf8),
                4,
                CCPBKDFAlgorithm(kCCPRFHmacAlgSHA256),
                1,
                &key,
                key.count
            ) == kCCSuccess
        )
        #expect(key == octets("55ac046e56e3089fec1691c22544b605"))
    }

    @Test func `need an algorithm, rounds and room`() {
        var key = [UInt8](repeating: 0, count: 16)
        let none = 0
        func derive(_ algorithm: Int, _ function: Int, _ rounds: UInt32, _ count: Int) -> Int32 {
            CCKeyDerivationPBKDF(
                CCPBKDFAlgorithm(algorithm),
                "",
                none,
                nil,
                none,
                CCPBKDFAlgorithm(function),
                rounds,
                &key,
                count
            )
        }
        #expect(derive(kCCPBKDF2, kCCPRFHmacAlgSHA256, 1, 16) == kCCSuccess)
        #expect(derive(0, kCCPRFHmacAlgSHA256, 1, 16) == kCCParamError)
        #expect(derive(kCCPBKDF2, 9, 1, 16) == kCCParamError)
        #expect(derive(kCCPBKDF2, kCCPRFHmacAlgSHA256, 0, 16) == kCCParamError)
        #expect(derive(kCCPBKDF2, kCCPRFHmacAlgSHA256, 1, 0) == kCCParamError)
        let algorithm = CCPBKDFAlgorithm(kCCPBKDF2)
        let function = CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA1)
        #expect(CCCalibratePBKDF(algorithm, 8, 8, function, 32, 1) >= 10_000)
    }
}

@Suite struct `CommonCrypto's random bytes` {
    @Test func `differ`() {
        let some = written(32) { #expect(CCRandomGenerateBytes(&$0, 32) == kCCSuccess) }
        let others = written(32) { #expect(CCRandomGenerateBytes(&$0, 32) == kCCSuccess) }
        #expect(some != others)
        #expect(CCRandomGenerateBytes(nil, 1) == kCCParamError)
        #expect(CCRandomGenerateBytes(nil, 0) == kCCSuccess)
    }
}
