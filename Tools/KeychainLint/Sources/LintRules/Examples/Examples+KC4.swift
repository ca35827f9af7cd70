// ★ Made from Fixtures by generate.py: examples of the rules of KC4.

extension Examples {
    static let badKC4: [String: String] = [
        "KC401": ##"""
        func save(_ data: Data, user: String) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "https://shop.example",
                kSecAttrAccount as String: user,
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC402": ##"""
        func save(_ label: String) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassIdentity,
                kSecAttrLabel as String: label,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC403": ##"""
        func makeKey() throws -> SecKey {
            var error: Unmanaged<CFError>?
            let attributes = [kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom] as CFDictionary
            guard let key = SecKeyCreateRandomKey(attributes, &error) else {
                throw KeyError(error)
            }
            return key
        }
        """##,
        "KC404": ##"""
        func save(_ key: SecKey) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassKey,
                kSecValueRef as String: key,
                kSecAttrApplicationLabel as String: "signing",
                kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC405": ##"""
        func save(_ certificate: SecCertificate, tag: Data) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassCertificate,
                kSecValueRef as String: certificate,
                kSecAttrApplicationTag as String: tag,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC406": ##"""
        func save(_ data: Data, server: String, account: String) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassInternetPassword,
                kSecAttrServer as String: server,
                kSecAttrAccount as String: account,
                kSecAttrService as String: "web",
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC407": ##"""
        func save(_ bytes: Data, tag: Data) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassKey,
                kSecAttrApplicationTag as String: tag,
                kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
                kSecAttrKeyClass as String: kSecAttrKeyClassPrivate,
                kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
                kSecValueData as String: bytes,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC408": ##"""
        func pinned() -> SecCertificate? {
            guard let url = Bundle.main.url(forResource: "root", withExtension: "pem"),
                let data = try? Data(contentsOf: url)
            else { return nil }
            return SecCertificateCreateWithData(nil, data as CFData)
        }
        """##,
        "KC409": ##"""
        func save(_ key: Curve25519.Signing.PrivateKey, tag: Data) -> OSStatus {
            let own = Curve25519.Signing.PrivateKey()
            let item: [String: Any] = [
                kSecClass as String: kSecClassKey,
                kSecAttrApplicationTag as String: tag,
                kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
                kSecAttrKeyClass as String: kSecAttrKeyClassSymmetric,
                kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
                kSecValueData as String: own.rawRepresentation,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC410": ##"""
        func rename(service: String, from old: String, to new: String) -> OSStatus {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: old,
            ]
            let values: [String: Any] = [
                kSecAttrAccount as String: new
            ]
            return SecItemUpdate(query as CFDictionary, values as CFDictionary)
        }
        """##,
        "KC411": ##"""
        func read(label: String) -> OSStatus {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrLabel as String: label,
                kSecReturnData as String: true,
            ]
            var result: CFTypeRef?
            return SecItemCopyMatching(query as CFDictionary, &result)
        }
        """##,
    ]
    static let goodKC4: [String: String] = [
        "KC401": ##"""
        func save(_ data: Data, user: String) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassInternetPassword,
                kSecAttrServer as String: "shop.example",
                kSecAttrProtocol as String: kSecAttrProtocolHTTPS,
                kSecAttrAccount as String: user,
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC402": ##"""
        func save(_ identity: SecIdentity, label: String) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassIdentity,
                kSecValueRef as String: identity,
                kSecAttrLabel as String: label,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC403": ##"""
        func makeKey() throws -> SecKey {
            var error: Unmanaged<CFError>?
            let attributes: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom,
                kSecAttrKeySizeInBits: 256,
            ]
            guard let key = SecKeyCreateRandomKey(attributes as CFDictionary, &error) else {
                throw KeyError(error)
            }
            return key
        }
        """##,
        "KC404": ##"""
        func save(_ key: SecKey, tag: Data) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassKey,
                kSecValueRef as String: key,
                kSecAttrApplicationTag as String: tag,
                kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC405": ##"""
        func save(_ certificate: SecCertificate, label: String) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassCertificate,
                kSecValueRef as String: certificate,
                kSecAttrLabel as String: label,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC406": ##"""
        func save(_ data: Data, server: String, account: String) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassInternetPassword,
                kSecAttrServer as String: server,
                kSecAttrAccount as String: account,
                kSecAttrPort as String: 443,
                kSecAttrComment as String: "web",
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC407": ##"""
        func save(_ bytes: Data, tag: Data) throws -> OSStatus {
            var error: Unmanaged<CFError>?
            let attributes: [String: Any] = [
                kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
                kSecAttrKeyClass as String: kSecAttrKeyClassPrivate,
            ]
            guard
                let key = SecKeyCreateWithData(
                    bytes as CFData,
                    attributes as CFDictionary,
                    &error
                )
            else {
                throw KeyError(error)
            }
            let item: [String: Any] = [
                kSecClass as String: kSecClassKey,
                kSecAttrApplicationTag as String: tag,
                kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
                kSecValueRef as String: key,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC408": ##"""
        func pinned() -> SecCertificate? {
            guard let url = Bundle.main.url(forResource: "root", withExtension: "der"),
                let data = try? Data(contentsOf: url)
            else { return nil }
            return SecCertificateCreateWithData(nil, data as CFData)
        }
        """##,
        "KC409": ##"""
        func save(account: String) -> OSStatus {
            let own = Curve25519.Signing.PrivateKey()
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "keys",
                kSecAttrAccount as String: account,
                kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
                kSecValueData as String: own.rawRepresentation,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC410": ##"""
        func label(service: String, account: String, as label: String) -> OSStatus {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
            ]
            return SecItemUpdate(
                query as CFDictionary,
                [kSecAttrLabel as String: label] as CFDictionary
            )
        }
        """##,
        "KC411": ##"""
        func read(service: String, account: String) -> OSStatus {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                kSecReturnData as String: true,
            ]
            var result: CFTypeRef?
            return SecItemCopyMatching(query as CFDictionary, &result)
        }
        """##,
    ]
}
