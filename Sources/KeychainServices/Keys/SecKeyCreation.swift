import CoreFoundation
import Cryptography
import KeyRepresentation
import KeychainHost
import KeychainMessages
import KeychainModel
import Secrets

/// Creates a key from its bytes.
///
/// - Parameters:
///   - keyData: the form that ``SecKeyCopyExternalRepresentation(_:_:)`` returns. A public RSA key
///     may be SubjectPublicKeyInfo instead.
///   - attributes: `kSecAttrKeyType` and `kSecAttrKeyClass`, each as text or number.
///   - error: receives, at +1, an error of `NSOSStatusErrorDomain`. Its code is `errSecParam` for
///     bytes of another form, and for `kSecAttrTokenID`, because the secure element imports no
///     keys. It is `errSecUnimplemented` for a symmetric key.
/// - Returns: the key, or nil.
/// - Source: Apple's "Storing keys as data".
@discardableResult
public func SecKeyCreateWithData(
    _ keyData: CFData,
    _ attributes: CFDictionary,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    report(in: error) { () throws(KeychainError) in
        let parameters = KeyParameters(attributes)
        guard attributes[kSecAttrTokenID] == nil else {
            throw KeychainError(.param, "a key of the secure element is made there, not imported")
        }
        guard !parameters.isSymmetric else {
            throw KeychainError(.unimplemented, "a symmetric key has no key object")
        }
        guard let family = parameters.family, let isPrivate = parameters.isPrivate else {
            throw KeychainError(.param, "kSecAttrKeyType and kSecAttrKeyClass are needed")
        }
        let bytes = Secret(
            copying: UnsafeRawBufferPointer(
                start: keyData.length > 0 ? keyData.bytes : nil,
                count: keyData.length
            )
        )
        let reference = try KeyReference(
            family,
            isPrivate: isPrivate,
            bytes: bytes,
            isExtractable: parameters.flag(.isExtractable) ?? true
        )
        return SecKey(reference)
    }
}

/// Creates a new key pair and returns its private half.
///
/// The call stores each half that has `kSecAttrIsPermanent`. It stores both or none. With
/// `kSecAttrTokenIDSecureEnclave` the secure element creates the private half, which must be on
/// P-256. That half is permanent unless you set `kSecAttrIsPermanent` to false.
///
/// ```swift
/// let parameters: [String: Any] = [
///     kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
///     kSecAttrKeySizeInBits as String: 256,
/// ]
/// var error: Unmanaged<CFError>?
/// let key = SecKeyCreateRandomKey(parameters as CFDictionary, &error)
/// ```
///
/// - Parameters:
///   - parameters: `kSecAttrKeyType`, `kSecAttrKeySizeInBits`, and the attributes of the halves
///     under `kSecPrivateKeyAttrs` and `kSecPublicKeyAttrs`.
///   - error: receives, at +1, an error of `NSOSStatusErrorDomain`. Its code is `errSecParam` for
///     an unknown type or size, or the status of storing the key.
/// - Returns: the private half, or nil; then nothing is stored.
/// - Source: Apple's "Generating new cryptographic keys".
@discardableResult
public func SecKeyCreateRandomKey(
    _ parameters: CFDictionary,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    report(in: error) { () throws(KeychainError) in
        try KeyPairRequest(parameters).makePair().privateKey
    }
}

/// Creates a new key pair and retrieves both halves.
///
/// - Returns: `errSecSuccess`, or the status with which ``SecKeyCreateRandomKey(_:_:)`` fails; then
///   nothing is stored.
@available(*, deprecated, message: "Use SecKeyCreateRandomKey and SecKeyCopyPublicKey")
@discardableResult
public func SecKeyGeneratePair(
    _ parameters: CFDictionary,
    _ publicKey: UnsafeMutablePointer<SecKey?>?,
    _ privateKey: UnsafeMutablePointer<SecKey?>?
) -> OSStatus {
    do throws(KeychainError) {
        let pair = try KeyPairRequest(parameters).makePair()
        publicKey?.pointee = pair.publicKey
        privateKey?.pointee = pair.privateKey
        return errSecSuccess
    } catch {
        return error.status.rawValue
    }
}

/// A request for a new pair.
private struct KeyPairRequest {
    private let parameters: KeyParameters
    private let privateAttributes: AttributeDictionary
    private let publicAttributes: AttributeDictionary
    private let authentication: KeyAuthentication

    init(_ dictionary: CFDictionary) {
        let common = DictionaryBridge.attributes(of: dictionary).withoutKeyParameters
        parameters = KeyParameters(dictionary)
        let own = dictionary[kSecPrivateKeyAttrs] as? NSDictionary
        let hasOwnContext = own?[kSecUseAuthenticationContext] != nil
        authentication = KeyAuthentication(hasOwnContext ? own ?? dictionary : dictionary)
        privateAttributes = Self.half(kSecPrivateKeyAttrs, of: dictionary, common)
        publicAttributes = Self.half(kSecPublicKeyAttrs, of: dictionary, common)
    }

    /// Returns the attributes of a half; its own take precedence over the common ones.
    private static func half(
        _ name: CFString,
        of dictionary: CFDictionary,
        _ common: AttributeDictionary
    ) -> AttributeDictionary {
        guard let own = dictionary[name] as? NSDictionary else { return common }
        var merged = common
        merged.values.merge(DictionaryBridge.attributes(of: own).values) { $1 }
        return merged
    }

    func makePair() throws(KeychainError) -> (publicKey: SecKey, privateKey: SecKey) {
        if let token = privateAttributes[.tokenID] { return try makeElementPair(token) }
        let kind = try parameters.kind()
        let made = try fromCryptography(try PrivateKey.generate(kind))
        let isExtractable = KeyParameters(privateAttributes).flag(.isExtractable) ?? true
        let privateKey = SecKey(.privateKey(made), isExtractable: isExtractable)
        let publicKey = SecKey(.publicKey(made.publicKey))
        try store([(privateKey, privateAttributes), (publicKey, publicAttributes)])
        return (publicKey, privateKey)
    }

    /// Creates a pair whose private half is created inside the secure element and stays there.
    ///
    /// Like every key of a token, it is permanent unless the caller specifies otherwise.
    private func makeElementPair(
        _ token: AttributeValue
    ) throws(KeychainError) -> (publicKey: SecKey, privateKey: SecKey) {
        guard token == .string(ElementKeyHandle.tokenID) else {
            throw KeychainError(.param, "there is no such token")
        }
        guard try parameters.kind() == .ellipticCurve(.p256) else {
            throw KeychainError(.param, "the secure element makes keys on P-256 only")
        }
        let request = ElementKeyRequest.make(
            Self.described(privateAttributes, isPrivate: true),
            isPermanent: KeyParameters(privateAttributes).flag(.isPermanent) ?? true,
            publicHalf: KeyParameters(publicAttributes).flag(.isPermanent) == true
                ? Self.described(publicAttributes.withoutToken, isPrivate: false) : nil
        )
        let reply = try RequestRouter.endpoint().send(request)
        guard case .made(let handle) = reply, let made = KeyReference(handle: handle) else {
            throw KeychainError(.internal, "the secure element returned an unexpected reply")
        }
        return (SecKey(.publicKey(made.publicKey)), SecKey(made, authentication))
    }

    private static func described(
        _ attributes: AttributeDictionary,
        isPrivate: Bool
    ) -> AttributeDictionary {
        ReferenceExpansion.describing(
            .ellipticCurve(.p256),
            isPrivate: isPrivate,
            isExtractable: !isPrivate,
            in: attributes
        )
    }

    /// Stores the permanent halves, all or none.
    private func store(
        _ halves: [(key: SecKey, attributes: AttributeDictionary)]
    ) throws(KeychainError) {
        var dictionaries: [AttributeDictionary] = []
        for (key, attributes) in halves
        where KeyParameters(attributes).flag(.isPermanent) == true {
            dictionaries.append(try ReferenceExpansion.adding(key.reference, to: attributes))
        }
        guard !dictionaries.isEmpty else { return }
        _ = try RequestRouter.endpoint().send(.addAll(dictionaries, duplicates: .refused))
    }
}

extension AttributeDictionary {
    /// The attributes without the token, because the public half is an ordinary key.
    fileprivate var withoutToken: AttributeDictionary {
        var others = self
        others.values.removeValue(forKey: Attribute.tokenID.rawValue)
        return others
    }

    /// The attributes that both halves share: all but the nested dictionaries.
    fileprivate var withoutKeyParameters: AttributeDictionary {
        var common = self
        for name in [kSecPrivateKeyAttrs, kSecPublicKeyAttrs] {
            common.values.removeValue(forKey: name as String)
        }
        return common
    }
}
