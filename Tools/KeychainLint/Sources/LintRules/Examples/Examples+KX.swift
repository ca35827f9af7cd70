// ★ Made from Fixtures by generate.py: examples of the rules of KX.

extension Examples {
    static let badKX: [String: String] = [
        "KX01": ##"""
        func seal(_ data: Data, _ key: SymmetricKey) throws -> Data? {
            let nonce = try AES.GCM.Nonce(data: Data(repeating: 0, count: 12))
            return try AES.GCM.seal(data, using: key, nonce: nonce).combined
        }
        """##,
        "KX02": ##"""
        func digest(_ data: Data) -> Data {
            Data(Insecure.MD5.hash(data: data))
        }
        """##,
        "KX03": ##"""
        func key(_ own: P256.KeyAgreement.PrivateKey, _ theirs: P256.KeyAgreement.PublicKey)
            throws -> SymmetricKey
        {
            let sharedSecret = try own.sharedSecretFromKeyAgreement(with: theirs)
            return sharedSecret.withUnsafeBytes { SymmetricKey(data: $0) }
        }
        """##,
        "KX04": ##"""
        func key(_ password: String) -> SymmetricKey {
            SymmetricKey(data: Data(password.utf8))
        }
        """##,
        "KX05": ##"""
        func derive(_ password: String, salt: Data) throws -> Data {
            try pbkdf2(password, salt: salt, iterations: 10_000)
        }
        """##,
        "KX06": ##"""
        func makeToken() -> String {
            String((0..<32).map { _ in Array("abcdef0123456789")[Int(arc4random_uniform(16))] })
        }
        """##,
        "KX07": ##"""
        let algorithm = CCAlgorithm(kCCAlgorithm3DES)
        """##,
        "KX08": ##"""
        let key = SymmetricKey(size: .bits128)
        """##,
        "KX09": ##"""
        func message(_ box: AES.GCM.SealedBox) -> Data {
            Data(box.nonce) + box.ciphertext + box.tag
        }
        """##,
        "KX10": ##"""
        func isValid(_ data: Data, mac: Data, key: SymmetricKey) -> Bool {
            let expectedMAC = Data(HMAC<SHA256>.authenticationCode(for: data, using: key))
            return expectedMAC == mac
        }
        """##,
        "KX11": ##"""
        func makeKey() throws -> Data {
            try SecureEnclave.P256.Signing.PrivateKey().dataRepresentation
        }
        """##,
        "KX12": ##"""
        func restore(_ bytes: Data) throws -> SecureEnclave.P256.Signing.PrivateKey {
            try SecureEnclave.P256.Signing.PrivateKey(rawRepresentation: bytes)
        }
        """##,
        "KX13": ##"""
        func seal(_ data: Data) throws -> Data {
            try SecureEnclave.AES.GCM.seal(data)
        }
        """##,
        "KX14": ##"""
        func save(account: String) throws -> OSStatus {
            let key = try SecureEnclave.P256.Signing.PrivateKey()
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "keys",
                kSecAttrAccount as String: account,
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
                kSecValueData as String: key.dataRepresentation,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KX15": ##"""
        @available(iOS 17, *)
        func send(_ data: Data, to key: P256.KeyAgreement.PublicKey) throws -> Data {
            var sender = try HPKE.Sender(
                recipientKey: key,
                ciphersuite: .P256_SHA256_AES_GCM_256,
                info: Data()
            )
            return try sender.seal(data)
        }
        """##,
        "KX16": ##"""
        func digest(_ data: Data) -> Data {
            Data(SHA3_256.hash(data: data))
        }
        """##,
        "KX17": ##"""
        func makeKey() throws -> SecKey {
            var error: Unmanaged<CFError>?
            let attributes: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeRSA,
                kSecAttrKeySizeInBits: 2048,
            ]
            guard let key = SecKeyCreateRandomKey(attributes as CFDictionary, &error) else {
                throw KeyError(error)
            }
            return key
        }
        """##,
        "KX18": ##"""
        func isTrusted(_ trust: SecTrust) -> Bool {
            var result = SecTrustResultType.invalid
            let status = SecTrustEvaluate(trust, &result)
            return status == errSecSuccess && result == .proceed
        }
        """##,
        "KX19": ##"""
        let policy = SecPolicyCreateSSL(true, nil)
        """##,
        "KX20": ##"""
        func trustOwn(_ trust: SecTrust, _ root: SecCertificate) -> Bool {
            let status = SecTrustSetAnchorCertificates(trust, [root] as CFArray)
            return status == errSecSuccess && SecTrustEvaluateWithError(trust, nil)
        }
        """##,
        "KX21": ##"""
        func isPinned(_ trust: SecTrust, _ pin: Data) -> Bool {
            guard SecTrustEvaluateWithError(trust, nil),
                let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate],
                let leaf = chain.first
            else { return false }
            return SecCertificateCopyData(leaf) as Data == pin
        }
        """##,
        "KX22": ##"""
        <plist version="1.0"><dict>
        <key>NSAppTransportSecurity</key>
        <dict>
        <key>NSAllowsArbitraryLoads</key>
        <true/>
        </dict>
        </dict></plist>
        """##,
        "KX23": ##"""
        final class Pinning: NSObject, URLSessionDelegate {
            func urlSession(
                _ session: URLSession,
                didReceive challenge: URLAuthenticationChallenge
            ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
                (.useCredential, nil)
            }
        }

        func load(_ url: URL) async throws -> Data {
            try await URLSession.shared.data(from: url).0
        }
        """##,
        "KX24": ##"""
        func signIn(_ url: URL) -> WKWebView {
            let view = WKWebView()
            view.load(URLRequest(url: url))
            return view
        }
        """##,
    ]
    static let goodKX: [String: String] = [
        "KX01": ##"""
        func seal(_ data: Data, _ key: SymmetricKey) throws -> Data? {
            try AES.GCM.seal(data, using: key).combined
        }
        """##,
        "KX02": ##"""
        func digest(_ data: Data) -> Data {
            Data(SHA256.hash(data: data))
        }
        """##,
        "KX03": ##"""
        func key(_ own: P256.KeyAgreement.PrivateKey, _ theirs: P256.KeyAgreement.PublicKey)
            throws -> SymmetricKey
        {
            let secret = try own.sharedSecretFromKeyAgreement(with: theirs)
            return secret.hkdfDerivedSymmetricKey(
                using: SHA256.self,
                salt: Data(),
                sharedInfo: Data(),
                outputByteCount: 32
            )
        }
        """##,
        "KX04": ##"""
        func key(_ password: String, salt: Data) throws -> SymmetricKey {
            let bytes = try pbkdf2(password, salt: salt, iterations: 600_000)
            return SymmetricKey(data: bytes)
        }
        """##,
        "KX05": ##"""
        func derive(_ password: String, salt: Data) throws -> Data {
            try pbkdf2(password, salt: salt, iterations: 600_000)
        }
        """##,
        "KX06": ##"""
        func shuffledCard() -> Int { Int(arc4random_uniform(52)) }
        """##,
        "KX07": ##"""
        func seal(_ data: Data, _ key: SymmetricKey) throws -> Data {
            try ChaChaPoly.seal(data, using: key).combined
        }
        """##,
        "KX08": ##"""
        let key = SymmetricKey(size: .bits256)
        """##,
        "KX09": ##"""
        func message(_ box: AES.GCM.SealedBox) -> Data? { box.combined }
        """##,
        "KX10": ##"""
        func isValid(_ data: Data, mac: Data, key: SymmetricKey) -> Bool {
            HMAC<SHA256>.isValidAuthenticationCode(mac, authenticating: data, using: key)
        }
        """##,
        "KX11": ##"""
        func makeKey() throws -> Data? {
            #if targetEnvironment(simulator)
                return P256.Signing.PrivateKey().rawRepresentation
            #else
                guard SecureEnclave.isAvailable else { return nil }
                return try SecureEnclave.P256.Signing.PrivateKey().dataRepresentation
            #endif
        }
        """##,
        "KX12": ##"""
        func restore(_ blob: Data) throws -> SecureEnclave.P256.Signing.PrivateKey {
            try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: blob)
        }
        """##,
        "KX13": ##"""
        func agree(_ theirs: P256.KeyAgreement.PublicKey) throws -> SharedSecret? {
            guard SecureEnclave.isAvailable else { return nil }
            return try SecureEnclave.P256.KeyAgreement.PrivateKey().sharedSecretFromKeyAgreement(
                with: theirs
            )
        }
        """##,
        "KX14": ##"""
        func save(account: String) throws -> OSStatus {
            guard SecureEnclave.isAvailable else { return errSecUnimplemented }
            let key = try SecureEnclave.P256.Signing.PrivateKey()
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "keys",
                kSecAttrAccount as String: account,
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
                kSecValueData as String: key.dataRepresentation,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KX15": ##"""
        @available(iOS 17, *)
        func send(_ data: Data, to key: P256.KeyAgreement.PublicKey) throws -> (Data, Data) {
            var sender = try HPKE.Sender(
                recipientKey: key,
                ciphersuite: .P256_SHA256_AES_GCM_256,
                info: Data()
            )
            return (sender.encapsulatedKey, try sender.seal(data))
        }
        """##,
        "KX16": ##"""
        @available(iOS 18, macOS 15, *)
        func digest(_ data: Data) -> Data {
            Data(SHA3_256.hash(data: data))
        }
        """##,
        "KX17": ##"""
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
        "KX18": ##"""
        func isTrusted(_ trust: SecTrust) -> Bool {
            var error: CFError?
            return SecTrustEvaluateWithError(trust, &error)
        }
        """##,
        "KX19": ##"""
        func policy(_ host: String) -> SecPolicy { SecPolicyCreateSSL(true, host as CFString) }
        """##,
        "KX20": ##"""
        func trustOwn(_ trust: SecTrust, _ root: SecCertificate) -> Bool {
            let status = SecTrustSetAnchorCertificates(trust, [root] as CFArray)
            let both = SecTrustSetAnchorCertificatesOnly(trust, false)
            return status == errSecSuccess && both == errSecSuccess
                && SecTrustEvaluateWithError(trust, nil)
        }
        """##,
        "KX21": ##"""
        func isPinned(_ trust: SecTrust, _ pins: Set<Data>) -> Bool {
            guard SecTrustEvaluateWithError(trust, nil), let key = SecTrustCopyKey(trust),
                let bytes = SecKeyCopyExternalRepresentation(key, nil) as Data?
            else { return false }
            return pins.contains(Data(SHA256.hash(data: spkiHeader + bytes)))
        }
        """##,
        "KX22": ##"""
        <plist version="1.0"><dict>
        <key>NSAppTransportSecurity</key>
        <dict>
        <key>NSAllowsArbitraryLoads</key>
        <false/>
        </dict>
        </dict></plist>
        """##,
        "KX23": ##"""
        final class Pinning: NSObject, URLSessionDelegate {
            func urlSession(
                _ session: URLSession,
                didReceive challenge: URLAuthenticationChallenge
            ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
                (.useCredential, nil)
            }
        }

        func load(_ url: URL) async throws -> Data {
            let session = URLSession(
                configuration: .default,
                delegate: Pinning(),
                delegateQueue: nil
            )
            return try await session.data(from: url).0
        }
        """##,
        "KX24": ##"""
        func signIn(_ url: URL) -> ASWebAuthenticationSession {
            ASWebAuthenticationSession(url: url, callbackURLScheme: "notes") { finish($0, $1) }
        }
        """##,
    ]
}
