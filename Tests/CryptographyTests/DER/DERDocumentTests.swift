import Secrets
import Testing

@testable import Cryptography

@Suite struct `What a file in DER seems to be` {
    private static func recognize(_ bytes: [UInt8]) -> DERDocument? {
        bytes.withUnsafeBytes { DERDocument(recognizing: $0) }
    }

    @Test(arguments: [
        KeyKind.rsa(bitCount: 512), .ellipticCurve(.p256), .ellipticCurve(.p521), .ed25519, .x25519,
    ])
    func `is told for every form of a key`(kind: KeyKind) throws {
        let key = try PrivateKey.generate(kind)
        let password = Secret(copying: Array("sesame".utf8))
        #expect(Self.recognize(try key.pkcs8().copyBytesUnprotected()) == .privateKey)
        #expect(Self.recognize(key.publicKey.subjectPublicKeyInfo) == .publicKey)
        let sealed = try EncryptedPrivateKey.seal(key, password: password)
        #expect(Self.recognize(sealed) == .encryptedPrivateKey)
        let archive = PKCS12Archive(keys: [.init(privateKey: key)], certificates: [])
        #expect(Self.recognize(try archive.serialized(password: password)) == .pkcs12)
        switch kind.family {
        case .rsa:
            let representation = try key.externalRepresentation().copyBytesUnprotected()
            #expect(Self.recognize(representation) == .rsaPrivateKey)
            #expect(Self.recognize(key.publicKey.externalRepresentation) == .rsaPublicKey)
        case .ellipticCurve:
            let representation = try key.ecPrivateKey().copyBytesUnprotected()
            #expect(Self.recognize(representation) == .ecPrivateKey)
            #expect(try PrivateKey(ecPrivateKey: key.ecPrivateKey()).publicKey == key.publicKey)
        case .ed25519, .x25519:
            #expect(throws: CryptographyError.self) { _ = try key.ecPrivateKey().byteCount }
        }
    }

    @Test(
        arguments: [
            [], [0x30], [0x30, 0x00], [0x30, 0x03, 0x02, 0x01, 0x00], [0x31, 0x00],
            [0x30, 0x04, 0x04, 0x00, 0x04, 0x00], [0x30, 0x06, 0x02, 0x01, 0x00, 0x01, 0x01],
            [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF], [0x30, 0x80, 0x02, 0x01, 0x04],
            Array("-----BEGIN".utf8),
        ] as [[UInt8]]
    )
    func `stays open where it begins like none`(bytes: [UInt8]) {
        #expect(Self.recognize(bytes) == nil)
    }

    @Test func `is a PKCS#12 file also with an open length`() {
        #expect(Self.recognize([0x30, 0x80, 0x02, 0x01, 0x03, 0x30, 0x80]) == .pkcs12)
    }
}
