import CoreFoundation
import Cryptography
import KeyRepresentation
import KeychainHost
import KeychainMessages
import KeychainModel
import Secrets
import StoredKeys

// The uses of a key, shared by all functions. Each throws `errSecParam` for a use that the key does
// not support.
extension SecKey {
    /// Whether this half supports the operation with the scheme.
    ///
    /// A private half neither encrypts nor verifies, although it knows the public one. A private
    /// RSA half reports that it verifies, but fails to.
    ///
    /// - Source: Apple's published Security source: SecKey.m, SecKeyAdaptors.m and the tests
    ///   si-44-seckey-rsa and si-44-seckey-ec.
    func supports(_ scheme: KeyScheme, for operation: KeyOperation) -> Bool {
        guard stored.supports(scheme, for: operation) else { return false }
        return switch operation {
        case .encrypt: !isPrivate
        case .verify: !isPrivate || kind.family == .rsa
        case .sign, .decrypt, .exchange: true
        }
    }

    func signature(
        of input: CFData,
        by algorithm: SecKeyAlgorithm
    ) throws(KeychainError) -> CFData {
        let scheme = try scheme(algorithm, for: .sign)
        return Self.data(try stored.sign(input.byteArray, with: scheme))
    }

    /// - Throws: `errSecVerifyFailed` for a wrong signature.
    func verify(
        _ signature: CFData,
        of input: CFData,
        by algorithm: SecKeyAlgorithm
    ) throws(KeychainError) {
        let scheme = try scheme(algorithm, for: .verify)
        guard !isPrivate else {
            throw KeychainError(.verifyFailed, "the private half verifies no signature")
        }
        let isValid = try stored.isValidSignature(
            signature.byteArray,
            for: input.byteArray,
            with: scheme
        )
        guard isValid else { throw KeychainError(.verifyFailed, "the signature is wrong") }
    }

    func encrypted(
        _ input: CFData,
        by algorithm: SecKeyAlgorithm
    ) throws(KeychainError) -> CFData {
        let scheme = try scheme(algorithm, for: .encrypt)
        let bytes = try stored.encrypt(Secret(copying: input.byteArray), with: scheme)
        return NSData(data: Data(bytes))
    }

    func decrypted(
        _ input: CFData,
        by algorithm: SecKeyAlgorithm
    ) throws(KeychainError) -> CFData {
        let scheme = try scheme(algorithm, for: .decrypt)
        return Self.data(try stored.decrypt(input.byteArray, with: scheme))
    }

    func agreed(
        with other: SecKey,
        by algorithm: SecKeyAlgorithm,
        _ parameters: CFDictionary
    ) throws(KeychainError) -> CFData {
        let scheme = try scheme(algorithm, for: .exchange)
        let request = try ExchangeRequest(parameters, isDerived: scheme.derivesKey)
        let secret = try stored.agree(
            with: other.publicKey,
            by: scheme,
            byteCount: request.byteCount,
            sharedInfo: request.sharedInfo
        )
        return Self.data(secret)
    }

    /// Returns the scheme, after checking that this key supports it.
    private func scheme(
        _ algorithm: SecKeyAlgorithm,
        for operation: KeyOperation
    ) throws(KeychainError) -> KeyScheme {
        guard let scheme = algorithm.scheme, supports(scheme, for: operation) else {
            let reason = "\(description) does not support \(algorithm.rawValue as String)"
            throw KeychainError(.param, reason)
        }
        return scheme
    }

    /// The key in the place of its use: here, or in the secure element of this task's keychain.
    private var stored: StoredKey {
        StoredKey(
            reference,
            terms: { [authentication] in authentication?.terms ?? AuthenticationTerms() },
            connect: { () throws(KeychainError) in try RequestRouter.endpoint() }
        )
    }

    /// Copies the bytes to ordinary memory, which belongs to the caller.
    private static func data(_ secret: SharedSecret) -> NSData {
        secret.secret.withUnsafeBytes { NSData(data: Data($0)) }
    }
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

/// Runs a use of a key; an error becomes an error object at +1 and nil.
func report<R>(
    in error: UnsafeMutablePointer<Unmanaged<CFError>?>?,
    using key: SecKey,
    _ body: () throws(KeychainError) -> R
) -> R? {
    do throws(KeychainError) {
        return try body()
    } catch let failure {
        let object =
            key.reference.isElementKey
            ? NSError(elementKeyUse: failure)
            : NSError(status: failure.status, message: failure.reason)
        error?.pointee = .passRetained(object)
        return nil
    }
}

extension NSError {
    // ★ Table: the errors of a use of a key of the secure element.

    /// Creates the error of a use of a key of the secure element.
    ///
    /// Apple's token for these keys passes on the errors of other frameworks:
    ///
    /// - The user was not authenticated: LocalAuthentication's error, such as -2 for a cancel.
    /// - The key does not open here, or no longer exists: CryptoTokenKit's error -3, for corrupted
    ///   data.
    /// - All other failures, such as a locked device or wrong parameters: a status.
    ///
    /// - Source: Apple's published SecCTKKey.m, which passes on the token's error; "Accessing
    ///   Keychain Items with Face ID or Touch ID"; TKError.h for the numbers.
    package convenience init(elementKeyUse error: KeychainError) {
        let userInfo = [NSLocalizedDescriptionKey: error.reason]
        if let failure = error.failure {
            let domain = AuthenticationFailure.domain
            self.init(domain: domain, code: failure.rawValue, userInfo: userInfo)
            return
        }
        switch error.status {
        case .decode, .itemNotFound:
            self.init(domain: "CryptoTokenKit", code: -3, userInfo: userInfo)
        default: self.init(status: error.status, message: error.reason)
        }
    }
}
