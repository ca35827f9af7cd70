import CoreFoundation
import Cryptography
import KeychainHost
import KeychainModel
import KeychainReferences
import Secrets

/// Whether the key can do this with this algorithm.
///
/// Signing, decrypting and agreeing need the private half; verifying and encrypting take either.
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
            let request = Request.useElementKey(
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
///   - algorithm: how to sign.
///   - dataToSign: a digest or a message, as the algorithm's name says.
///   - error: receives -50 for an algorithm that the key does not support and for a digest of the
///     wrong size.
/// - Returns: the signature, or nil.
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
/// - Returns: false, with -67808, for a signature that does not fit or is malformed; false, with
///   -50, for an algorithm that the key does not support.
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

/// Encrypts data for the holder of the private key.
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
/// - Parameters:
///   - key: the private half.
///   - algorithm: the one that the data was encrypted with.
///   - ciphertext: what encryption returned.
///   - error: receives -50, whatever is wrong with the ciphertext: cut short, changed or meant for
///     another key. One answer tells nobody how far the padding was right.
/// - Returns: the plaintext, or nil.
/// - Source: Secure Enclave guide; Certificate trust; Keychain access control guide.
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

    /// A parameter by Apple's name.
    public init(rawValue: CFString) { name = rawValue as String }

    private init(_ name: String) { self.name = name }

    /// Apple's name.
    public var rawValue: CFString { NSString(string: name) }

    /// How many bytes to derive: a number.
    public static let requestedSize = SecKeyKeyExchangeParameter("requestedSize")
    /// Bytes that both sides know: data.
    public static let sharedInfo = SecKeyKeyExchangeParameter("sharedInfo")
}

/// Agrees on a secret with the holder of another key.
///
/// - Parameters:
///   - privateKey: one side's private half.
///   - algorithm: how to agree.
///   - publicKey: the other side's public half.
///   - parameters: for the algorithms with a derivation `requestedSize`, and `sharedInfo` if there
///     is any.
///   - error: receives -50 for keys that do not go together and for missing parameters.
/// - Returns: the secret, or nil.
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
