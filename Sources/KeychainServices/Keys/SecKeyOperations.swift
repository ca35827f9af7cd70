import CoreFoundation
import Cryptography
import KeychainModel

/// Returns whether the key supports an operation with an algorithm.
///
/// Signing, decrypting and key exchange need the private half. Verifying and encrypting need the
/// public half, which ``SecKeyCopyPublicKey(_:)`` returns. A private RSA key supports verifying by
/// name, as on Apple's platforms, but ``SecKeyVerifySignature(_:_:_:_:_:)`` refuses it.
///
/// - Source: Apple's published Security source and its tests of RSA and elliptic-curve keys.
@discardableResult
public func SecKeyIsAlgorithmSupported(
    _ key: SecKey,
    _ operation: SecKeyOperationType,
    _ algorithm: SecKeyAlgorithm
) -> Bool {
    guard let scheme = algorithm.scheme, let operation = operation.operation else { return false }
    return key.supports(scheme, for: operation)
}

/// Signs data with a private key.
///
/// A key of the secure element also reports errors of LocalAuthentication and CryptoTokenKit: see
/// <doc:Keys>.
///
/// - Parameters:
///   - key: the private half.
///   - algorithm: the signature algorithm.
///   - dataToSign: the digest or the whole message, as the algorithm's name says.
///   - error: receives, at +1, an error of `NSOSStatusErrorDomain`. Its code is `errSecParam` if
///     the key does not support the algorithm or the digest has the wrong size.
/// - Returns: the signature, or nil.
/// - Source: Apple's "Signing and verifying".
@discardableResult
public func SecKeyCreateSignature(
    _ key: SecKey,
    _ algorithm: SecKeyAlgorithm,
    _ dataToSign: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    report(in: error, using: key) { () throws(KeychainError) in
        try key.signature(of: dataToSign, by: algorithm)
    }
}

/// Checks a signature.
///
/// - Parameters:
///   - key: the public half.
///   - algorithm: the algorithm that made the signature.
///   - signedData: the digest or the whole message, as the algorithm's name says.
///   - signature: the signature.
///   - error: receives, at +1, an error of `NSOSStatusErrorDomain`. Its code is
///     `errSecVerifyFailed` (-67808) for a wrong or malformed signature and for the private half of
///     an RSA pair, and `errSecParam` if the key does not support the algorithm.
/// - Returns: whether the signature is valid.
/// - Source: Apple's "Signing and verifying".
@discardableResult
public func SecKeyVerifySignature(
    _ key: SecKey,
    _ algorithm: SecKeyAlgorithm,
    _ signedData: CFData,
    _ signature: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool {
    let verified: Void? = report(in: error, using: key) { () throws(KeychainError) in
        try key.verify(signature, of: signedData, by: algorithm)
    }
    return verified != nil
}

/// Encrypts data for the owner of the private key.
///
/// - Parameters:
///   - key: the public half.
///   - algorithm: the encryption algorithm.
///   - plaintext: the data to encrypt.
///   - error: receives, at +1, an error of `NSOSStatusErrorDomain`. Its code is `errSecParam` if
///     the key does not support the algorithm.
/// - Returns: the ciphertext, or nil.
/// - Source: Apple's "Using keys for encryption".
@discardableResult
public func SecKeyCreateEncryptedData(
    _ key: SecKey,
    _ algorithm: SecKeyAlgorithm,
    _ plaintext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    report(in: error, using: key) { () throws(KeychainError) in
        try key.encrypted(plaintext, by: algorithm)
    }
}

/// Decrypts data with a private key.
///
/// A key of the secure element also reports errors of LocalAuthentication and CryptoTokenKit: see
/// <doc:Keys>.
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
@discardableResult
public func SecKeyCreateDecryptedData(
    _ key: SecKey,
    _ algorithm: SecKeyAlgorithm,
    _ ciphertext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    report(in: error, using: key) { () throws(KeychainError) in
        try key.decrypted(ciphertext, by: algorithm)
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
/// A key of the secure element also reports errors of LocalAuthentication and CryptoTokenKit: see
/// <doc:Keys>.
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
@discardableResult
public func SecKeyCopyKeyExchangeResult(
    _ privateKey: SecKey,
    _ algorithm: SecKeyAlgorithm,
    _ publicKey: SecKey,
    _ parameters: CFDictionary,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    report(in: error, using: privateKey) { () throws(KeychainError) in
        try privateKey.agreed(with: publicKey, by: algorithm, parameters)
    }
}
