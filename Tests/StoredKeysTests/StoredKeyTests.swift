import Cryptography
import KeyRepresentation
import KeychainMessages
import KeychainModel
import Secrets
import TestSupport
import Testing

@testable import StoredKeys

/// A keychain whose secure element answers everything with the same bytes.
private struct ElementEndpoint: Endpoint {
    static let answer: [UInt8] = [1, 2, 3]

    /// The algorithm that is expected.
    let algorithm: String

    var profiles: Profiles { Profiles(system: .iOS(26), behavior: .documented) }

    func send(_ request: Request) throws(KeychainError) -> Reply {
        guard case .elementKey(.use(_, algorithm, _, let terms)) = request,
            terms.reason == "sign in"
        else { throw KeychainError(.param, "another request") }
        return .elementKey(.bytes(SharedSecret(Secret(copying: Self.answer))))
    }

    func note(_ finding: Finding) {}
}

@Suite struct `A stored key` {
    private static let message = Array("message".utf8)
    private static let unconnected: StoredKey.Connect = { () throws(KeychainError) in
        throw KeychainError(.internal, "a key that lies here needs no keychain")
    }

    private static func pair(_ kind: KeyKind) throws -> (own: StoredKey, other: StoredKey) {
        let key = try PrivateKey.generate(kind)
        return (
            StoredKey(KeyReference(.privateKey(key)), connect: unconnected),
            StoredKey(KeyReference(.publicKey(key.publicKey)), connect: unconnected)
        )
    }

    private static let signatures: [(KeyKind, KeyScheme)] = [
        (.rsa(bitCount: 2048), .signature(.rsaPKCS1v15(.sha256, .message))),
        (.ellipticCurve(.p256), .signature(.ecdsa(.sha256, .message, .x962))),
        (.ellipticCurve(.p384), .signature(.ecdsa(.sha384, .message, .rfc4754))),
        (.ed25519, .signature(.ed25519)),
    ]

    @Test(.requirement("KEY-15"), arguments: signatures)
    func `signs, and its other half verifies`(kind: KeyKind, scheme: KeyScheme) throws {
        let (own, other) = try Self.pair(kind)
        let signature = try own.sign(Self.message, with: scheme).secret.copyBytesUnprotected()
        #expect(try other.isValidSignature(signature, for: Self.message, with: scheme))
        #expect(try !other.isValidSignature(signature, for: [0], with: scheme))
        #expect(throws: KeychainError(.param, "")) {
            _ = try other.sign(Self.message, with: scheme)
        }
    }

    @Test(.requirement("KEY-15"))
    func `decrypts, and every wrong ciphertext is one error`() throws {
        let (own, other) = try Self.pair(.ellipticCurve(.p256))
        let scheme = KeyScheme.encryption(.ecies(.sha256, .derived), cofactor: false)
        let sealed = try other.encrypt(Secret(copying: Self.message), with: scheme)
        let opened = try own.decrypt(sealed, with: scheme).secret.copyBytesUnprotected()
        #expect(opened == Self.message)
        let wrong = [[], Array(sealed.dropLast()), sealed.dropLast() + [sealed[0] ^ 1]]
        let failures = wrong.map { bytes in
            failure { try own.decrypt(bytes, with: scheme) } as? KeychainError
        }
        let refusal = KeychainError(.param, "")
        #expect(failures == [refusal, refusal, refusal])
    }

    @Test(.requirement("KEY-15"), arguments: [nil, HashAlgorithm.sha256])
    func `agrees on a secret with another`(hash: HashAlgorithm?) throws {
        let (mine, myPublic) = try Self.pair(.ellipticCurve(.p256))
        let (theirs, theirPublic) = try Self.pair(.ellipticCurve(.p256))
        let scheme = KeyScheme.exchange(hash, cofactor: false)
        let here = try mine.agree(with: theirPublic.reference.publicKey, by: scheme, byteCount: 32)
        let there = try theirs.agree(with: myPublic.reference.publicKey, by: scheme, byteCount: 32)
        let isSame = here.secret.constantTimeEquals(there.secret)
        #expect(isSame)
        #expect(here.secret.byteCount == 32)
    }

    private static let foreign: [(KeyScheme, KeyOperation)] = [
        (.signature(.rsaPKCS1v15(.sha256, .message)), .sign),
        (.signature(.ecdsa(.sha256, .message, .x962)), .decrypt),
        (.encryption(.rsaPKCS1v15, cofactor: false), .encrypt),
    ]

    @Test(.requirement("KEY-15"), arguments: foreign)
    func `supports no scheme of another kind of key or operation`(
        scheme: KeyScheme,
        operation: KeyOperation
    ) throws {
        #expect(try !Self.pair(.ellipticCurve(.p256)).own.supports(scheme, for: operation))
    }

    @Test(.requirement("KEY-15"))
    func `is used by the secure element where its private half is there`() throws {
        let scheme = KeyScheme.signature(.ecdsa(.sha256, .message, .x962))
        let point = try PrivateKey.generate(.ellipticCurve(.p256)).publicKey
        let handle = ElementKeyHandle(
            protection: .whenUnlocked,
            accessControl: nil,
            publicPoint: point.externalRepresentation,
            keySet: nil,
            sealedPrivateHalf: []
        )
        let key = StoredKey(
            KeyReference(.elementKey(handle, point), isExtractable: false),
            terms: {
                var terms = AuthenticationTerms()
                terms.reason = "sign in"
                return terms
            },
            connect: { () throws(KeychainError) in
                ElementEndpoint(algorithm: scheme.identifier)
            }
        )
        let signature = try key.sign(Self.message, with: scheme)
        #expect(signature.secret.copyBytesUnprotected() == ElementEndpoint.answer)
    }
}
