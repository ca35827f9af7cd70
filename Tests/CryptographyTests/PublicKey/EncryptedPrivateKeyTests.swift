import Secrets
import TestSupport
import Testing

@testable import Cryptography

@Suite struct `A private key under a password` {
    private static let password = Array("sesame".utf8)

    private static let kinds: [KeyKind] = [
        .rsa(bitCount: 1024), .ellipticCurve(.p256), .ellipticCurve(.p384), .ed25519, .x25519,
    ]

    @Test(arguments: kinds)
    func `opens with it`(kind: KeyKind) throws {
        let key = try PrivateKey.generate(kind)
        let sealed = try EncryptedPrivateKey.seal(key, password: Secret(copying: Self.password))
        let opened = try EncryptedPrivateKey.open(sealed, password: Secret(copying: Self.password))
        #expect(opened.publicKey == key.publicKey)
    }

    @Test(arguments: kinds, ["", "sesam", "Sesame"])
    func `opens with no other`(kind: KeyKind, wrong: String) throws {
        let key = try PrivateKey.generate(kind)
        let sealed = try EncryptedPrivateKey.seal(key, password: Secret(copying: Self.password))
        #expect(throws: PKCS12Error.wrongPassword) {
            try EncryptedPrivateKey.open(sealed, password: Secret(copying: Array(wrong.utf8)))
        }
    }

    @Test func `is refused when it is cut or continued`() throws {
        let key = try PrivateKey.generate(.ed25519)
        let sealed = try EncryptedPrivateKey.seal(key, password: Secret(copying: Self.password))
        let damaged = stride(from: 0, to: sealed.count, by: 7).map { Array(sealed.prefix($0)) }
        let failures = (damaged + [sealed + [0]]).map { bytes in
            failure {
                try EncryptedPrivateKey.open(bytes, password: Secret(copying: Self.password))
            } as? PKCS12Error
        }
        #expect(failures.allSatisfy { $0 == .damaged }, "\(failures)")
    }
}
