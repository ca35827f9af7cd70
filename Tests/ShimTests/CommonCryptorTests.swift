import CommonCrypto
import Foundation
import TestSupport
import Testing

private let message = Array("The keychain keeps 32 bytes here".utf8)
private let key = [UInt8](1...32)
private let noTweak = 0
private let roomless = 0
private let noRounds: Int32 = 0
private let vector = [UInt8](0xA0...0xAF)

/// What OpenSSL's program makes of the message.
private struct Row: CustomTestStringConvertible {
    let cipher: Int
    let mode: Int
    let keySize: Int
    let ciphertext: String

    init(_ cipher: Int, _ mode: Int, _ keySize: Int, _ first: String, _ second: String) {
        self.cipher = cipher
        self.mode = mode
        self.keySize = keySize
        ciphertext = first + second
    }

    var testDescription: String { "\(cipher), mode \(mode), \(keySize) bytes" }
}

/// ★ Cipher, mode, size of the key, and the ciphertext in two halves.
private let rows: [Row] = [
    .init(
        kCCAlgorithmAES,
        kCCModeECB,
        16,
        "422eef905ac615cfc021407ff47c9580",
        "bf873ab6f02464f2a0033ab45ee3407d"
    ),
    .init(
        kCCAlgorithmAES,
        kCCModeCBC,
        16,
        "e5045476baf6d4ba2e2fd4d1efe28dec",
        "ac16293f3c6147b2ce5a538e79b49d5f"
    ),
    .init(
        kCCAlgorithmAES,
        kCCModeCBC,
        24,
        "42050280c6a2ba93d573b98933e07bc0",
        "3526161ecdbcf2c1a958810ba68a8b71"
    ),
    .init(
        kCCAlgorithmAES,
        kCCModeCBC,
        32,
        "7fc13a2bb48129bde91db60220b58082",
        "8c686e1b5f82d87d0a7855ceb878b936"
    ),
    .init(
        kCCAlgorithmAES,
        kCCModeCFB,
        16,
        "1203b689217a8300f352997f0af82673",
        "1ae03a5db64ccc89de10ce411380792e"
    ),
    .init(
        kCCAlgorithmAES,
        kCCModeCTR,
        32,
        "f65444fd860cae32757b6a2e6585a2cc",
        "44ecf919e20cc0ff515efcfaab0ef30f"
    ),
    .init(
        kCCAlgorithmAES,
        kCCModeOFB,
        16,
        "1203b689217a8300f352997f0af82673",
        "361817ff00d910f589616ce6b9ebaaf4"
    ),
    .init(
        kCCAlgorithmAES,
        kCCModeCFB8,
        16,
        "120019bfcbd93b344baa72621a3c68e6",
        "64dfbe10e9da5cb24afb3a1eb80a0110"
    ),
    .init(
        kCCAlgorithmDES,
        kCCModeCBC,
        8,
        "11cc3d5330f386d2dd292d371cd7dc4d",
        "387d037721dda5731d1392978c57349c"
    ),
    .init(
        kCCAlgorithmDES,
        kCCModeECB,
        8,
        "5fdfa7e8f178a18cedd446a12f30a76b",
        "98062728e03a41a2755c694ede45c857"
    ),
    .init(
        kCCAlgorithm3DES,
        kCCModeCBC,
        24,
        "9293c57a6df8c2405e3855dd3d0262a9",
        "b8319fccb43936c1d6587c6de271795a"
    ),
    .init(
        kCCAlgorithm3DES,
        kCCModeECB,
        24,
        "980be6706a896ba11fe2ebaa28d679a3",
        "344850d70abb3bcd456b280d04eff169"
    ),
    .init(
        kCCAlgorithm3DES,
        kCCModeCFB8,
        24,
        "6a35630d40a4724dd5eea4c94b282e6b",
        "19e70616c739271e39a43cdea9d58c56"
    ),
    .init(
        kCCAlgorithmCAST,
        kCCModeCBC,
        16,
        "d10f06b4262b319fa4133290d43b1440",
        "11031bb4366d1ebd23077429445cc192"
    ),
    .init(
        kCCAlgorithmBlowfish,
        kCCModeCBC,
        16,
        "fe5fd94396cdb9bf29ad15b2db0887a3",
        "8d794d2b4e87a7381598aec08a459060"
    ),
    .init(
        kCCAlgorithmRC4,
        kCCModeRC4,
        16,
        "ceafa9ba0bf86794daf241f7ed8f7ef2",
        "223be4a6a23470131aeff7d1757fec79"
    ),
]

/// A message in parts, and the numbers of its calls.
private struct Parts {
    private let cryptor: CCCryptorRef

    init(
        _ operation: Int,
        _ algorithm: Int,
        _ mode: Int,
        _ keySize: Int,
        _ padding: Int = ccNoPadding
    ) throws {
        var made: CCCryptorRef?
        let status = CCCryptorCreateWithMode(
            CCOperation(operation),
            CCMode(mode),
            CCAlgorithm(algorithm),
            CCPadding(padding),
            vector,
            key,
            keySize,
            nil,
            noTweak,
            noRounds,
            CCModeOptions(kCCModeOptionCTR_BE),
            &made
        )
        try #require(status == kCCSuccess)
        cryptor = try #require(made)
    }

    /// Gives the input in parts of a size, and checks the sizes that were announced.
    func process(_ input: [UInt8], by size: Int) -> [UInt8] {
        var output: [UInt8] = []
        for start in stride(from: 0, to: input.count, by: size) {
            let part = Array(input[start..<min(start + size, input.count)])
            var room = [UInt8](
                repeating: 0,
                count: CCCryptorGetOutputLength(cryptor, part.count, false)
            )
            var moved = -1
            #expect(
                CCCryptorUpdate(cryptor, part, part.count, &room, room.count, &moved) == kCCSuccess
            )
            #expect(moved == room.count)
            output += room.prefix(moved)
        }
        var room = [UInt8](repeating: 0, count: 16)
        var moved = -1
        #expect(CCCryptorFinal(cryptor, &room, room.count, &moved) == kCCSuccess)
        return output + room.prefix(moved)
    }

    func restart() -> CCCryptorStatus { CCCryptorReset(cryptor, vector) }

    func release() { CCCryptorRelease(cryptor) }
}

private func crypt(
    _ operation: Int,
    _ options: Int,
    _ input: [UInt8],
    room: Int = 64,
    keySize: Int = 16,
    algorithm: Int = kCCAlgorithmAES
) -> (status: CCCryptorStatus, output: [UInt8], moved: Int) {
    var output = [UInt8](repeating: 0, count: room)
    var moved = 0
    let status = CCCrypt(
        CCOperation(operation),
        CCAlgorithm(algorithm),
        CCOptions(options),
        key,
        keySize,
        vector,
        input,
        input.count,
        &output,
        output.count,
        &moved
    )
    return (status, Array(output.prefix(moved)), moved)
}

@Suite struct `CommonCrypto's ciphers` {
    @Test(arguments: rows, [1, 5, 8, 16, 31, 32])
    fileprivate func `make what OpenSSL makes, in parts of any size`(row: Row, size: Int) throws {
        let encryption = try Parts(kCCEncrypt, row.cipher, row.mode, row.keySize)
        defer { encryption.release() }
        #expect(encryption.process(message, by: size) == octets(row.ciphertext))
        let decryption = try Parts(kCCDecrypt, row.cipher, row.mode, row.keySize)
        defer { decryption.release() }
        #expect(decryption.process(octets(row.ciphertext), by: size) == message)
    }

    @Test(arguments: [0, 1, 7, 8, 15, 16, 17, 31, 32], [1, 5, 16, 17])
    func `pad a message of any size`(count: Int, size: Int) throws {
        let text = Array(message.prefix(count))
        let whole = crypt(kCCEncrypt, kCCOptionPKCS7Padding, text)
        #expect(whole.status == kCCSuccess && whole.moved == (count / 16 + 1) * 16)
        #expect(crypt(kCCDecrypt, kCCOptionPKCS7Padding, whole.output).output == text)
        let encryption = try Parts(kCCEncrypt, kCCAlgorithmAES, kCCModeCBC, 16, ccPKCS7Padding)
        defer { encryption.release() }
        #expect(encryption.process(text, by: size) == whole.output)
        let decryption = try Parts(kCCDecrypt, kCCAlgorithmAES, kCCModeCBC, 16, ccPKCS7Padding)
        defer { decryption.release() }
        #expect(decryption.process(whole.output, by: size) == text)
    }

    @Test func `pad as OpenSSL does`() {
        #expect(
            crypt(kCCEncrypt, kCCOptionPKCS7Padding, Array("short".utf8)).output
                == octets("1dc0786c7f52fc2c26632cc3b465b2bd")
        )
        let both = kCCOptionPKCS7Padding | kCCOptionECBMode
        #expect(
            crypt(kCCEncrypt, both, message).output.prefix(32)
                == octets("422eef905ac615cfc021407ff47c9580bf873ab6f02464f2a0033ab45ee3407d")[...]
        )
    }

    @Test func `say how much room they need`() {
        let small = crypt(kCCEncrypt, kCCOptionPKCS7Padding, message, room: 47)
        #expect(small.status == kCCBufferTooSmall && small.moved == 48)
        #expect(crypt(kCCEncrypt, kCCOptionPKCS7Padding, message, room: 48).status == kCCSuccess)
        #expect(crypt(kCCEncrypt, 0, message, room: 32).moved == 32)
    }

    @Test func `refuse what they cannot do`() {
        #expect(crypt(kCCEncrypt, 0, Array(message.prefix(5))).status == kCCAlignmentError)
        #expect(crypt(kCCEncrypt, 0, message, keySize: 5).status == kCCKeySizeError)
        #expect(
            crypt(kCCEncrypt, 0, message, algorithm: kCCAlgorithmRC2).status == kCCUnimplemented
        )
        #expect(crypt(7, 0, message).status == kCCParamError)
        #expect(crypt(kCCDecrypt, kCCOptionPKCS7Padding, [1, 2, 3]).status == kCCAlignmentError)
        #expect(CCCryptorUpdate(nil, message, 32, nil, roomless, nil) == kCCParamError)
        #expect(CCCryptorFinal(nil, nil, roomless, nil) == kCCSuccess)
        #expect(CCCryptorRelease(nil) == kCCSuccess)
        var none: CCCryptorRef?
        let status = CCCryptorCreateWithMode(
            CCOperation(kCCEncrypt),
            CCMode(kCCModeCTR),
            CCAlgorithm(kCCAlgorithm3DES),
            0,
            nil,
            key,
            24,
            nil,
            noTweak,
            noRounds,
            CCModeOptions(kCCModeOptionCTR_BE),
            &none
        )
        #expect(status == kCCUnimplemented && none == nil)
    }

    // Apple's implementation looks at the last byte alone, and a wrong one is no error.
    @Test func `do not tell whether padding is wrong`() {
        let garbage = crypt(kCCEncrypt, 0, message).output
        let read = crypt(kCCDecrypt, kCCOptionPKCS7Padding, garbage)
        #expect(read.status == kCCSuccess)
        #expect(read.output == message)
    }

    @Test func `start over under the same key`() throws {
        let parts = try Parts(kCCEncrypt, kCCAlgorithmAES, kCCModeCBC, 16)
        defer { parts.release() }
        let first = parts.process(message, by: 7)
        #expect(parts.restart() == kCCSuccess)
        #expect(parts.process(message, by: 32) == first)
        let electronic = try Parts(kCCEncrypt, kCCAlgorithmAES, kCCModeECB, 16)
        defer { electronic.release() }
        #expect(electronic.restart() == kCCUnimplemented)
    }

    @Test func `work in the memory of the message`() throws {
        var bytes = message
        var moved = 0
        let status = bytes.withUnsafeMutableBytes { memory in
            CCCrypt(
                CCOperation(kCCEncrypt),
                CCAlgorithm(kCCAlgorithmAES128),
                0,
                key,
                kCCKeySizeAES128,
                vector,
                memory.baseAddress,
                32,
                memory.baseAddress,
                32,
                &moved
            )
        }
        #expect(status == kCCSuccess && bytes == crypt(kCCEncrypt, 0, message).output)
    }
}
