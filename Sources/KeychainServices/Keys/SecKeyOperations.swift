import CoreFoundation
import Cryptography
import KeyRepresentation
import KeychainHost
import KeychainMessages
import KeychainModel
import Secrets
import StoredKeys

/// Returns whether the key supports an operation with an algorithm.
///
/// Signing, decrypting and key exchange need the private half. Verifying and encrypting accept
/// either.
public func SecKeyIsAlgorithmSupported(
    _ key: SecKey,
    _ operation: SecKeyOperationType,
    _ algorithm: SecKeyAlgorithm
) -> Bool {
    algorithm.scheme.map { key.stored.supports($0, for: operation.operation) } ?? false
}

extension SecKey {
    /// The scheme, once it is certain that this key can be used so.
    ///
    /// - Throws: `errSecParam`.
    fileprivate func scheme(
        _ algorithm: SecKeyAlgorithm,
        for operation: KeyOperation
    ) throws(KeychainError) -> KeyScheme {
        guard let scheme = algorithm.scheme, stored.supports(scheme, for: operation) else {
            let reason = "\(description) does not support \(algorithm.rawValue as String)"
            throw KeychainError(.param, reason)
        }
        return scheme
    }

    /// The key where it can be used: here, or in the secure element of where this task's calls go.
    fileprivate var stored: StoredKey {
        StoredKey(
            reference,
            terms: { [authentication] in authentication?.terms ?? AuthenticationTerms() },
            connect: { () throws(KeychainError) in try RequestRouter.endpoint() }
        )
    }
}

/// Signs data with a private key.
///
/// - Parameters:
///   - key: the private half.
///   - algorithm: the signature algorithm.
///   - dataToSign: the digest or the whole message, as the algorithm's name says.
///   - error: receives, at +1, an error of `NSOSStatusErrorDomain`. Its code is `errSecParam` if
///     the key does not support the algorithm or the digest has the wrong size.
/// - Returns: the signature, or nil.
/// - Source: Apple's "Signing and verifying".
public func SecKeyCreateSignature(
    _ key: SecKey,
    _ algorithm: SecKeyAlgorithm,
    _ dataToSign: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    report(in: error) { () throws(KeychainError) in
        let scheme = try key.scheme(algorithm, for: .sign)
        return data(try key.stored.sign(dataToSign.byteArray, with: scheme))
    }
}

/// Checks a signature with either half of the pair.
///
/// - Parameters:
///   - key: either half.
///   - algorithm: the algorithm that made the signature.
///   - signedData: the digest or the whole message, as the algorithm's name says.
///   - signature: the signature.
///   - error: receives, at +1, an error of `NSOSStatusErrorDomain`. Its code is
///     `errSecVerifyFailed` (-67808) for a wrong or malformed signature, and `errSecParam` if the
///     key does not support the algorithm.
/// - Returns: whether the signature is valid.
/// - Source: Apple's "Signing and verifying".
public func SecKeyVerifySignature(
    _ key: SecKey,
    _ algorithm: SecKeyAlgorithm,
    _ signedData: CFData,
    _ signature: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool {
    let verified: Bool? = report(in: error) { () throws(KeychainError) in
        let scheme = try key.scheme(algorithm, for: .verify)
        let isValid = try key.stored.isValidSignature(
            signature.byteArray,
            for: signedData.byteArray,
            with: scheme
        )
        guard isValid else { throw KeychainError(.verifyFailed, "the signature is wrong") }
        return true
    }
    return verified ?? false
}

/// Encrypts data for the owner of the private key.
///
/// - Parameters:
///   - key: either half.
///   - algorithm: the encryption algorithm.
///   - plaintext: the data to encrypt.
///   - error: receives, at +1, an error of `NSOSStatusErrorDomain`. Its code is `errSecParam` if
///     the key does not support the algorithm.
/// - Returns: the ciphertext, or nil.
/// - Source: Apple's "Using keys for encryption".
public func SecKeyCreateEncryptedData(
    _ key: SecKey,
    _ algorithm: SecKeyAlgorithm,
    _ plaintext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    report(in: error) { () throws(KeychainError) in
        let scheme = try key.scheme(algorithm, for: .encrypt)
        let bytes = try key.stored.encrypt(Secret(copying: plaintext.byteArray), with: scheme)
        return NSData(data: Data(bytes))
    }
}

/// Decrypts data with a private key.
///
/// The error is the same for a ciphertext that is too short, changed, or meant for another key. An
/// attacker therefore learns nothing about the padding.
///
/// - Parameters:
///   - key: the private half.
///   - algorithm: the algorithm that encrypted the data.
///   - ciphertext: the encrypted data.
///   - error: receives, at +1, an error of `NSOSStatusErrorDomain`. Its code is `errSecParam` for
///     every wrong ciphertext, and if the key does not support the algorithm.
/// - Returns: the plaintext, or nil.
/// - Source: Apple's "Using keys for encryption".
public func SecKeyCreateDecryptedData(
    _ key: SecKey,
    _ algorithm: SecKeyAlgorithm,
    _ ciphertext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    report(in: error) { () throws(KeychainError) in
        let scheme = try key.scheme(algorithm, for: .decrypt)
        return data(try key.stored.decrypt(ciphertext.byteArray, with: scheme))
    }
}

/// A parameter of a key exchange.
public struct SecKeyKeyExchangeParameter: RawRepresentable, Hashable, Sendable {
    private let name: String

    /// Creates a parameter from Apple's name.
    public init(rawValue: CFString) { name = rawValue as String }

    private init(_ name: String) { self.name = name }

    /// Apple's name.
    public var rawValue: CFString { NSString(string: name) }

    /// The number of bytes to derive, as a number.
    public static let requestedSize = SecKeyKeyExchangeParameter("requestedSize")
    /// Bytes that both sides know, as data.
    public static let sharedInfo = SecKeyKeyExchangeParameter("sharedInfo")
}

/// Agrees on a secret with the owner of another key.
///
/// - Parameters:
///   - privateKey: the private half of one side.
///   - algorithm: the key exchange algorithm.
///   - publicKey: the public half of the other side.
///   - parameters: `requestedSize`, which algorithms with a derivation need, and optionally
///     `sharedInfo`.
///   - error: receives, at +1, an error of `NSOSStatusErrorDomain`. Its code is `errSecParam` for
///     keys of different curves and for missing parameters.
/// - Returns: the secret, or nil.
/// - Source: NIST SP 800-56A and, for the derivation, X9.63.
public func SecKeyCopyKeyExchangeResult(
    _ privateKey: SecKey,
    _ algorithm: SecKeyAlgorithm,
    _ publicKey: SecKey,
    _ parameters: CFDictionary,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    report(in: error) { () throws(KeychainError) in
        let scheme = try privateKey.scheme(algorithm, for: .exchange)
        let request = try ExchangeRequest(parameters, isDerived: scheme.derivesKey)
        let secret = try privateKey.stored.agree(
            with: publicKey.publicKey,
            by: scheme,
            byteCount: request.byteCount,
            sharedInfo: request.sharedInfo
        )
        return data(secret)
    }
}

/// From here on the bytes are the caller's, in ordinary memory.
private func data(_ secret: SharedSecret) -> NSData {
    secret.secret.withUnsafeBytes { NSData(data: Data($0)) }
}

/// The parameters of a key exchange with a derivation.
private struct ExchangeRequest {
    let byteCount: Int
    let sharedInfo: [UInt8]

    init(_ dictionary: CFDictionary, isDerived: Bool) throws(KeychainError) {
        let parameters = DictionaryBridge.attributes(of: dictionary)
        let size = parameters[SecKeyKeyExchangeParameter.requestedSize.rawValue as String]
        switch size {
        case .number(let count)?: byteCount = Int(clamping: count)
        case nil where !isDerived: byteCount = 0
        default: throw KeychainError(.param, "the key exchange needs a requestedSize")
        }
        switch parameters[SecKeyKeyExchangeParameter.sharedInfo.rawValue as String] {
        case .data(let bytes)?: sharedInfo = bytes
        case nil: sharedInfo = []
        default: throw KeychainError(.param, "sharedInfo must be data")
        }
    }
}
