import Security

/// A file made by OpenSSL; see Scripts/make-certificate-fixtures.sh.
struct Fixture: Sendable {
    let bytes: [UInt8]

    init(_ base64: String) {
        guard let data = Data(base64Encoded: base64, options: .ignoreUnknownCharacters) else {
            preconditionFailure("a fixture is not base64")
        }
        bytes = [UInt8](data)
    }

    var data: Data { Data(bytes) }

    /// The certificate that the file is.
    var certificate: SecCertificate {
        guard let read = SecCertificateCreateWithData(nil, data as CFData) else {
            preconditionFailure("a fixture is no certificate")
        }
        return read
    }
}

/// A person of the fixtures: a certificate and the key that belongs to it.
struct Person: Sendable {
    let certificate: SecCertificate
    let key: SecKey
    let identity: SecIdentity

    private init(_ certificate: Fixture, _ key: Fixture, type: CFString) {
        self.certificate = certificate.certificate
        let form: Attributes = [
            kSecAttrKeyType: type, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
        ]
        guard let read = SecKeyCreateWithData(key.data as CFData, form as CFDictionary, nil),
            let made = SecIdentityCreate(nil, self.certificate, read)
        else { preconditionFailure("a fixture's key does not fit") }
        self.key = read
        identity = made
    }

    /// Ada with an elliptic key.
    static let ada = Person(
        Certificates.ada,
        PrivateKeys.ada,
        type: kSecAttrKeyTypeECSECPrimeRandom
    )

    /// Ada's key under her newer certificate.
    static let adaRenewed = Person(
        Certificates.adaRenewed,
        PrivateKeys.ada,
        type: kSecAttrKeyTypeECSECPrimeRandom
    )

    /// Bob with an RSA key.
    static let bob = Person(Certificates.bob, PrivateKeys.bob, type: kSecAttrKeyTypeRSA)
}

extension SecCertificate {
    /// SHA-1 of the certified key, as stored.
    var keyHash: Data {
        guard let key = SecCertificateCopyKey(self) else { return Data() }
        return Keys.attributes(key)[kSecAttrApplicationLabel as String] as? Data ?? Data()
    }
}

extension Attributes {
    static var certificates: Attributes { [kSecClass: kSecClassCertificate] }
    static var keys: Attributes { [kSecClass: kSecClassKey] }
    static var identities: Attributes { [kSecClass: kSecClassIdentity] }

    /// What adds or names the object.
    static func reference(_ object: AnyObject) -> Attributes { [kSecValueRef: object] }
}

extension Items {
    /// The reference object of the one item that matches.
    static func object<Object>(_ query: Attributes, as type: Object.Type) -> Object? {
        find(query.with([kSecReturnRef: true])).object as? Object
    }

    /// The reference objects of all items that match.
    static func objects<Object>(_ query: Attributes, as type: Object.Type) -> [Object] {
        let all = query.with([kSecReturnRef: true, kSecMatchLimit: kSecMatchLimitAll])
        return find(all).list.compactMap { $0 as? Object }
    }
}

extension [UInt8] {
    /// Bytes from hexadecimal digits; blanks count for nothing.
    init(hex: String) { self = [UInt8](Data(hex: hex)) }
}
