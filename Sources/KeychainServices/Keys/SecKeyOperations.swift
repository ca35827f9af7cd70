import CoreFoundation
import Cryptography
import KeychainHost
import KeychainMessages
import KeychainModel
import KeychainReferences
import Secrets

/// Returns whether the key supports an operation with an algorithm.
///
/// Signing, decrypting and key exchange need the private half. Verifying and encrypting accept
/// either.
public func SecKeyIsAlgorithmSupported(
    _ key: SecKey,
    _ operation: SecKeyOperationType,
    _ algorithm: SecKeyAlgorithm
) -> Bool {
    (try? key.scheme(algorithm, for: operation.operation)) != nil
}

extension SecKey {
    /// The scheme, once it is certain that this key can be used so.
    ///
    /// - Throws: `errSecParam`.
    fileprivate func scheme(
        _ algorithm: SecKeyAlgorithm,
        for operation: KeyOperation
    ) throws(KeychainError) -> KeyScheme {
        guard let scheme = algorithm.scheme, scheme.serves(operation), scheme.suits(kind),
            isPrivate || !operation.needsPrivateKey
        else {
            let reason = "\(description) does not support \(algorithm.rawValue as String)"
            throw KeychainError(.param, reason)
        }
        return scheme
    }

    /// Uses the private half where it is: here, or in the secure element.
    fileprivate func use(
        _ scheme: KeyScheme,
        inElement use: ElementKeyUse,
        here: (PrivateKey) throws(CryptographyError) -> Secret
    ) throws(KeychainError) -> SharedSecret {
        switch material {
        case .publicKey: throw KeychainError(.param, "the private half is needed")
        case .privateKey(let key):
            return SharedSecret(try work { () throws(CryptographyError) in try here(key) })
        case .elementKey(let handle, _):
            let request = ElementKeyRequest.use(
                handle,
                algorithm: scheme.identifier,
                use,
                authentication?.terms ?? AuthenticationTerms()
            )
            guard case .bytes(let bytes) = try Connection.endpoint().send(request) else {
                throw KeychainError(.internal, "the secure element answered with something else")
            }
            return bytes
        }
    }
}

/// Lets a cryptographic error leave as a status.
private func work<R: ~Copyable>(
    _ body: () throws(CryptographyError) -> R
) throws(KeychainError) -> R {
    do throws(CryptographyError) { return try body() } catch { throw KeychainError(error) }
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
        guard case .signature(let signature) = scheme else {
            throw KeychainError(.param, "no signature")
        }
        let input = dataToSign.byteArray
        let made = try key.use(scheme, inElement: .sign(input)) {
            privateKey throws(CryptographyError) in
            Secret(copying: try privateKey.sign(input, with: signature))
        }
        return data(made)
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
        guard case .signature(let form) = scheme else {
            throw KeychainError(.param, "no signature")
        }
        let isValid = try work { () throws(CryptographyError) in
            try key.publicKey.isValidSignature(
                signature.byteArray,
                for: signedData.byteArray,
                with: form
            )
        }
        guard isValid else { throw KeychainError(.verifyFailed, "the signature does not fit") }
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
        guard case .encryption(let form, _) = scheme else {
            throw KeychainError(.param, "no encryption")
        }
        let bytes = try work { () throws(CryptographyError) in
            try key.publicKey.encrypt(Secret(copying: plaintext.byteArray), with: form)
        }
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
        guard case .encryption(let form, _) = scheme else {
            throw KeychainError(.param, "no encryption")
        }
        let input = ciphertext.byteArray
        do throws(KeychainError) {
            let plaintext = try key.use(scheme, inElement: .decrypt(input)) {
                privateKey throws(CryptographyError) in
                try privateKey.decrypt(input, with: form)
            }
            return data(plaintext)
        } catch {
            guard error.status == .decode else { throw error }
            throw KeychainError(.param, "the ciphertext is not for this key, or it changed")
        }
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
        guard case .exchange(let hash, _) = scheme else {
            throw KeychainError(.param, "no key exchange")
        }
        let request = try ExchangeRequest(parameters, isDerived: hash != nil)
        let other = publicKey.publicKey
        let use = ElementKeyUse.agree(
            publicPoint: other.externalRepresentation,
            byteCount: request.byteCount,
            sharedInfo: request.sharedInfo
        )
        let secret = try privateKey.use(scheme, inElement: use) { own throws(CryptographyError) in
            guard let hash else { return try own.sharedSecret(with: other) }
            return try own.sharedKey(
                with: other,
                sharedInfo: request.sharedInfo,
                byteCount: request.byteCount,
                hash: hash
            )
        }
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
        default: throw KeychainError(.param, "sharedInfo is data")
        }
    }
}
