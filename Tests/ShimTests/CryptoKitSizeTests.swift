import CryptoKit
import Dispatch
import Foundation
import KeychainSimulator
import TestSupport
import Testing

/// The forms that a private key on a NIST curve can be read from.
private protocol ReadablePrivateKey: Sendable {
    init<Bytes: ContiguousBytes>(x963Representation: Bytes) throws
    init<Bytes: ContiguousBytes>(rawRepresentation: Bytes) throws
    init<Bytes: RandomAccessCollection<UInt8>>(derRepresentation: Bytes) throws
    init(pemRepresentation: String) throws
}

/// The forms that a public key on a NIST curve can be read from.
private protocol ReadablePublicKey: ReadablePrivateKey {
    init<Bytes: ContiguousBytes>(compressedRepresentation: Bytes) throws
    init<Bytes: ContiguousBytes>(compactRepresentation: Bytes) throws
}

/// The forms of a signature.
private protocol ReadableSignature: Sendable {
    init<Bytes: DataProtocol>(rawRepresentation: Bytes) throws
    init<Bytes: DataProtocol>(derRepresentation: Bytes) throws
}

extension P256.Signing.PrivateKey: ReadablePrivateKey {}
extension P384.Signing.PrivateKey: ReadablePrivateKey {}
extension P521.Signing.PrivateKey: ReadablePrivateKey {}
extension P256.KeyAgreement.PrivateKey: ReadablePrivateKey {}
extension P384.KeyAgreement.PrivateKey: ReadablePrivateKey {}
extension P521.KeyAgreement.PrivateKey: ReadablePrivateKey {}
extension P256.Signing.PublicKey: ReadablePublicKey {}
extension P384.Signing.PublicKey: ReadablePublicKey {}
extension P521.Signing.PublicKey: ReadablePublicKey {}
extension P256.KeyAgreement.PublicKey: ReadablePublicKey {}
extension P384.KeyAgreement.PublicKey: ReadablePublicKey {}
extension P521.KeyAgreement.PublicKey: ReadablePublicKey {}
extension P256.Signing.ECDSASignature: ReadableSignature {}
extension P384.Signing.ECDSASignature: ReadableSignature {}
extension P521.Signing.ECDSASignature: ReadableSignature {}

/// A digest of any size, as a program may declare one.
private struct SizedDigest: CryptoKit.Digest {
    static let byteCount = 0
    let bytes: [UInt8]

    func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try bytes.withUnsafeBytes(body)
    }
}

/// Whether reading fails with an error of CryptoKit.
private func isRefused(_ read: () throws -> Void) -> Bool {
    do {
        try read()
        return false
    } catch { return error is CryptoKitError || error is CryptoKitASN1Error }
}

@Suite struct `CryptoKit refuses` {
    private static let sizes = [
        0, 1, 31, 32, 33, 48, 49, 64, 65, 66, 67, 96, 97, 132, 133, 145, 199, 65_536,
    ]
    private static let privateKeys: [any ReadablePrivateKey.Type] = [
        P256.Signing.PrivateKey.self, P384.Signing.PrivateKey.self, P521.Signing.PrivateKey.self,
        P256.KeyAgreement.PrivateKey.self, P384.KeyAgreement.PrivateKey.self,
        P521.KeyAgreement.PrivateKey.self,
    ]
    private static let publicKeys: [any ReadablePublicKey.Type] = [
        P256.Signing.PublicKey.self, P384.Signing.PublicKey.self, P521.Signing.PublicKey.self,
        P256.KeyAgreement.PublicKey.self, P384.KeyAgreement.PublicKey.self,
        P521.KeyAgreement.PublicKey.self,
    ]
    private static let signatures: [any ReadableSignature.Type] = [
        P256.Signing.ECDSASignature.self, P384.Signing.ECDSASignature.self,
        P521.Signing.ECDSASignature.self,
    ]

    // Bytes of ones are no scalar, no coordinate and no DER on any curve, whatever their number.
    @Test(arguments: privateKeys, sizes)
    private func `private keys of any size that are none`(
        kind: any ReadablePrivateKey.Type,
        byteCount: Int
    ) {
        let form = Data(repeating: 0xFF, count: byteCount)
        #expect(isRefused { _ = try kind.init(x963Representation: form) })
        #expect(isRefused { _ = try kind.init(x963Representation: [4] + form.dropFirst()) })
        #expect(isRefused { _ = try kind.init(rawRepresentation: form) })
        #expect(isRefused { _ = try kind.init(rawRepresentation: Data(count: byteCount)) })
        #expect(isRefused { _ = try kind.init(derRepresentation: form) })
        #expect(isRefused { _ = try kind.init(derRepresentation: [0x30] + form.dropFirst()) })
    }

    @Test(arguments: publicKeys, sizes)
    private func `public keys of any size that are none`(
        kind: any ReadablePublicKey.Type,
        byteCount: Int
    ) {
        let form = Data(repeating: 0xFF, count: byteCount)
        #expect(isRefused { _ = try kind.init(x963Representation: form) })
        #expect(isRefused { _ = try kind.init(x963Representation: [4] + form.dropFirst()) })
        #expect(isRefused { _ = try kind.init(rawRepresentation: form) })
        #expect(isRefused { _ = try kind.init(compressedRepresentation: form) })
        #expect(isRefused { _ = try kind.init(compressedRepresentation: [2] + form.dropFirst()) })
        #expect(isRefused { _ = try kind.init(compactRepresentation: form) })
        #expect(isRefused { _ = try kind.init(derRepresentation: form) })
        #expect(isRefused { _ = try kind.init(derRepresentation: [0x30] + form.dropFirst()) })
    }

    @Test(
        arguments: privateKeys + publicKeys.map { $0 as any ReadablePrivateKey.Type },
        [
            "", "\n", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----",
            "-----BEGIN PRIVATE KEY----------END PRIVATE KEY-----",
            "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----",
            "-----BEGIN PRIVATE KEY-----\n\n-----END PRIVATE KEY-----",
            "-----BEGIN PRIVATE KEY-----MA==-----END PRIVATE KEY-----",
            "-----BEGIN PRIVATE KEY-----\nMA==\n-----END PUBLIC KEY-----",
            "-----BEGIN PRIVATE KEY-----\nMA\n-----END PRIVATE KEY-----",
            "-----BEGIN PRIVATE KEY-----\n!!!!\n-----END PRIVATE KEY-----",
            "-----BEGIN PRIVATE KEY-----\nMA==\n-----END PRIVATE KEY-----",
            "-----BEGIN EC PRIVATE KEY-----\nMIH/\n-----END EC PRIVATE KEY-----",
            "-----BEGIN PUBLIC KEY-----\nMA==\n-----END PUBLIC KEY-----",
            "before\n-----BEGIN PRIVATE KEY-----\nMA==\n-----END PRIVATE KEY-----",
        ]
    )
    private func `text that is no key`(kind: any ReadablePrivateKey.Type, text: String) {
        #expect(isRefused { _ = try kind.init(pemRepresentation: text) })
    }

    @Test(arguments: signatures, [0, 1, 63, 65, 95, 97, 131, 133, 65_536])
    private func `signatures of another size`(
        kind: any ReadableSignature.Type,
        byteCount: Int
    ) {
        let form = Data(repeating: 0xFF, count: byteCount)
        #expect(isRefused { _ = try kind.init(rawRepresentation: form) })
        #expect(isRefused { _ = try kind.init(derRepresentation: form) })
        #expect(isRefused { _ = try kind.init(derRepresentation: [0x30] + form) })
    }

    @Test func `a signature whose numbers are larger than the curve`() throws {
        let large = try P521.Signing.ECDSASignature(
            rawRepresentation: Data(count: 132).map { _ in 1 }
        )
        #expect(throws: CryptoKitASN1Error.invalidASN1Object) {
            try P256.Signing.ECDSASignature(derRepresentation: large.derRepresentation)
        }
    }

    @Test(arguments: [1, 20, 33, 65_536])
    func `no digest for its size`(byteCount: Int) throws {
        let key = P256.Signing.PrivateKey()
        let digest = SizedDigest(bytes: Array(repeating: 7, count: byteCount))
        let signature = try key.signature(for: digest)
        #expect(key.publicKey.isValidSignature(signature, for: digest))
    }

    @Test func `a digest of no byte`() throws {
        let key = P256.Signing.PrivateKey()
        let none = SizedDigest(bytes: [])
        #expect(throws: CryptoKitError.incorrectParameterSize) { try key.signature(for: none) }
        let other = try key.signature(for: text("message"))
        #expect(!key.publicKey.isValidSignature(other, for: none))
    }

    @Test(arguments: [0, 1, 15, 17, 31, 33, 64, 65_536])
    func `keys of a size that the cipher does not have`(byteCount: Int) throws {
        let key = SymmetricKey(data: Data(count: byteCount))
        let right = SymmetricKey(size: .bits256)
        #expect(throws: CryptoKitError.incorrectKeySize) { try AES.GCM.seal(Data(), using: key) }
        #expect(throws: CryptoKitError.incorrectKeySize) { try ChaChaPoly.seal(Data(), using: key) }
        let boxes = (
            try AES.GCM.seal(Data(), using: right), try ChaChaPoly.seal(Data(), using: right)
        )
        #expect(throws: CryptoKitError.incorrectKeySize) { try AES.GCM.open(boxes.0, using: key) }
        #expect(throws: CryptoKitError.incorrectKeySize) {
            try ChaChaPoly.open(boxes.1, using: key)
        }
    }

    @Test(arguments: [16, 24])
    func `AES keys for ChaCha20`(byteCount: Int) {
        let key = SymmetricKey(data: Data(count: byteCount))
        #expect(throws: CryptoKitError.incorrectKeySize) { try ChaChaPoly.seal(Data(), using: key) }
    }

    @Test(arguments: [0, 1, 11])
    func `nonces that are too short`(byteCount: Int) {
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try AES.GCM.Nonce(data: Data(count: byteCount))
        }
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try ChaChaPoly.Nonce(data: Data(count: byteCount))
        }
    }

    @Test(arguments: [129, 65_536])
    func `nonces that are too long`(byteCount: Int) throws {
        let nonce = try AES.GCM.Nonce(data: Data(count: byteCount))
        let key = SymmetricKey(size: .bits256)
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try AES.GCM.seal(Data(), using: key, nonce: nonce)
        }
        let box = try AES.GCM.SealedBox(nonce: nonce, ciphertext: Data(), tag: Data(count: 16))
        #expect(box.combined == nil)
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try AES.GCM.open(box, using: key)
        }
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try ChaChaPoly.Nonce(data: Data(count: byteCount))
        }
    }

    @Test(arguments: [13, 16, 128])
    func `no long nonce for AES, and any for ChaCha20`(byteCount: Int) throws {
        let nonce = try AES.GCM.Nonce(data: Data(count: byteCount))
        let key = SymmetricKey(size: .bits128)
        let box = try AES.GCM.seal(text("message"), using: key, nonce: nonce)
        #expect(try AES.GCM.open(box, using: key) == text("message"))
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try ChaChaPoly.Nonce(data: Data(count: byteCount))
        }
    }

    @Test(arguments: [0, 1, 12, 16, 27])
    func `boxes that are too short`(byteCount: Int) {
        let form = Data(count: byteCount)
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try AES.GCM.SealedBox(combined: form)
        }
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try ChaChaPoly.SealedBox(combined: form)
        }
    }

    @Test(arguments: [0, 15, 17, 65_536])
    func `tags of another size`(byteCount: Int) {
        let tag = Data(count: byteCount)
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try AES.GCM.SealedBox(nonce: .init(), ciphertext: Data(), tag: tag)
        }
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try ChaChaPoly.SealedBox(nonce: .init(), ciphertext: Data(), tag: tag)
        }
    }

    @Test(arguments: [0, 1, 32, 65_536])
    func `keys of the secure element that are none`(byteCount: Int) throws {
        let device = try SimulatedDevice()
        device.install(.init(bundleIdentifier: "com.example.app")).run {
            let form = Data(repeating: 0xFF, count: byteCount)
            #expect(throws: NSError.self) {
                try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: form)
            }
            #expect(throws: NSError.self) {
                try SecureEnclave.P256.KeyAgreement.PrivateKey(dataRepresentation: form)
            }
        }
    }
}

@Suite struct `CryptoKit takes` {
    // HMAC-SHA-256 of no byte under no byte: `openssl dgst -sha256 -hmac ""`.
    @Test func `a key without bytes for a code`() {
        let code = HMAC<SHA256>.authenticationCode(for: Data(), using: SymmetricKey(data: Data()))
        #expect(code == bytes("b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"))
    }

    // A box of no ciphertext is the shortest one that is whole.
    @Test func `a message without bytes`() throws {
        let key = SymmetricKey(size: .bits256)
        let combined = (
            try #require(AES.GCM.seal(Data(), using: key).combined),
            try ChaChaPoly.seal(Data(), using: key).combined
        )
        #expect(combined.0.count == 28)
        #expect(combined.1.count == 28)
        #expect(try AES.GCM.open(.init(combined: combined.0), using: key).isEmpty)
        #expect(try ChaChaPoly.open(.init(combined: combined.1), using: key).isEmpty)
    }

    @Test func `a message in several pieces`() throws {
        let key = SymmetricKey(size: .bits256)
        let pieces = ["one", "two"].map { word in
            Array(word.utf8).withUnsafeBytes { DispatchData(bytes: $0) }
        }
        var message = pieces[0]
        message.append(pieces[1])
        #expect(try AES.GCM.open(AES.GCM.seal(message, using: key), using: key) == text("onetwo"))
        let box = try ChaChaPoly.seal(message, using: key)
        #expect(try ChaChaPoly.open(box, using: key) == text("onetwo"))
    }

    // RFC 7468 §2: Base64 in lines of 64 characters; Foundation writes the same.
    @Test func `and writes text in lines of 64 characters`() throws {
        let key = P384.Signing.PrivateKey()
        let lines = { (der: Data) in
            der.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        }
        let label = "PRIVATE KEY-----"
        #expect(
            key.pemRepresentation
                == "-----BEGIN \(label)\n\(lines(key.derRepresentation))\n-----END \(label)"
        )
        let half = key.publicKey
        #expect(half.pemRepresentation.contains("\n\(lines(half.derRepresentation))\n"))
    }

    @Test(arguments: ["\r\n", "  \n", "\n\n"])
    func `text with other line ends`(lineEnd: String) throws {
        let key = P521.Signing.PrivateKey()
        let form = "\n" + key.pemRepresentation.replacing("\n", with: lineEnd) + lineEnd
        let again = try P521.Signing.PrivateKey(pemRepresentation: form)
        #expect(again.rawRepresentation == key.rawRepresentation)
        let half = key.publicKey.pemRepresentation.replacing("\n", with: lineEnd)
        let read = try P521.Signing.PublicKey(pemRepresentation: half)
        #expect(read.rawRepresentation == key.publicKey.rawRepresentation)
    }
}
