// ★ Made from Fixtures by generate.py: examples of the rules of KC9.

extension Examples {
    static let badKC9: [String: String] = [
        "KC901": ##"""
        func remember(_ session: Session) {
            UserDefaults.standard.set(session.accessToken, forKey: "accessToken")
            UserDefaults.standard.set(session.tokenCount, forKey: "tokenCount")
            UserDefaults.standard["password"] = session.password
        }
        """##,
        "KC902": ##"""
        func store(_ credentials: Credentials, at url: URL) throws {
            let data = try PropertyListEncoder().encode(credentials)
            try data.write(to: url)
        }
        """##,
        "KC903": ##"""
        let stripeKey = "sk_live_4eC39HqLyjWDarjtT1zdp7dc"

        func save(service: String, account: String) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
                kSecValueData as String: "correct horse battery".data(using: .utf8)!,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC904": ##"""
        func save(_ photo: UIImage, service: String, account: String) -> OSStatus {
            let bytes = photo.pngData()
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
                kSecValueData as String: bytes as Any,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC905": ##"""
        func signedIn(_ token: String, _ session: Session) {
            print("signed in with \(token)")
            logger.info("token \(session.token, privacy: .public)")
            os_log("password %{public}@", session.password)
        }
        """##,
        "KC906": ##"""
        @MainActor
        final class SessionModel {
            func token(_ query: [String: Any]) throws -> Data? {
                var result: CFTypeRef?
                let status = SecItemCopyMatching(query as CFDictionary, &result)
                guard status == errSecSuccess else { throw StatusError(status) }
                return result as? Data
            }
        }
        """##,
        "KC907": ##"""
        final class Store {
            private var cache: Data?

            func token(_ query: [String: Any]) throws -> Data? {
                var result: CFTypeRef?
                let status = SecItemCopyMatching(query as CFDictionary, &result)
                guard status == errSecSuccess else { throw StatusError(status) }
                cache = result as? Data
                return cache
            }
        }
        """##,
        "KC908": ##"""
        // App.swift
        let key = Bundle.main.infoDictionary?["payment_api_key"] as? String

        <!-- Info.plist -->
        <plist version="1.0"><dict>
        <key>PaymentApiKey</key>
        <string>3f9a77c1d2</string>
        </dict></plist>
        """##,
        "KC909": ##"""
        enum Session {
            static func save(_ access: Data, _ refresh: Data) -> [OSStatus] {
                let first: [CFString: Any] = [
                    kSecClass: kSecClassGenericPassword, kSecAttrService: "session",
                    kSecAttrAccount: "access", kSecValueData: access,
                    kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
                ]
                let second: [CFString: Any] = [
                    kSecClass: kSecClassGenericPassword, kSecAttrService: "session",
                    kSecAttrAccount: "refresh", kSecValueData: refresh,
                    kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
                ]
                return [
                    SecItemAdd(first as CFDictionary, nil),
                    SecItemAdd(second as CFDictionary, nil),
                ]
            }

            static func signOut() -> OSStatus {
                let query: [CFString: Any] = [
                    kSecClass: kSecClassGenericPassword, kSecAttrService: "session",
                    kSecAttrAccount: "access",
                ]
                return SecItemDelete(query as CFDictionary)
            }
        }
        """##,
        "KC910": ##"""
        func refreshToken() async throws {
            let token = try await api.refresh()
            try keychain.delete("token")
            try keychain.save(token, for: "token")
        }
        """##,
        "KC911": ##"""
        import KeychainAccess

        let keychain = Keychain(service: "notes")
        """##,
        "KC912": ##"""
        func store(_ password: Data, at url: URL) throws {
            try password.write(to: url, options: .noFileProtection)
        }
        """##,
        "KC913": ##"""
        let flags: SecAccessControlCreateFlags = [.touchIDAny, .or, .devicePasscode]
        """##,
        "KC914": ##"""
        import Foundation

        func message(_ status: OSStatus) -> Bool { status == errSecItemNotFound }
        """##,
    ]
    static let goodKC9: [String: String] = [
        "KC901": ##"""
        func remember(_ settings: Settings) {
            UserDefaults.standard.set(settings.hasPassword, forKey: "hasPassword")
            UserDefaults.standard.set(true, forKey: "token")
            UserDefaults.standard.set(settings.keyboard, forKey: "keyboardLayout")
            UserDefaults.standard.set(settings.tokenExpiry, forKey: "tokenExpiryDate")
            UserDefaults.standard.set(settings.passwordLength, forKey: "passwordLength")
        }
        """##,
        "KC902": ##"""
        func store(_ credentials: Credentials, at url: URL, key: SymmetricKey) throws {
            let data = try PropertyListEncoder().encode(credentials)
            let box = try AES.GCM.seal(data, using: key)
            try box.combined?.write(to: url)
        }
        """##,
        "KC903": ##"""
        /// The server keeps the key for payments.
        func paymentToken(for order: Order) async throws -> String {
            try await server.post("/payment-tokens", order).token
        }

        /// The user types the password.
        func save(_ password: String, service: String, account: String) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
                kSecValueData as String: Data(password.utf8),
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC904": ##"""
        /// The key goes to the keychain, the photo to a file that it seals.
        func save(_ photo: UIImage, to url: URL, service: String, account: String) throws
            -> OSStatus
        {
            let key = SymmetricKey(size: .bits256)
            try AES.GCM.seal(photo.pngData() ?? Data(), using: key).combined?.write(to: url)
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
                kSecValueData as String: key.withUnsafeBytes { Data($0) },
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC905": ##"""
        func signedIn(_ token: String, _ session: Session) {
            print("signed in, \(token.count) bytes")
            logger.info("token \(session.token, privacy: .private)")
            logger.debug("token \(token)")
            os_log("failed: %{public}@", session.error)
        }
        """##,
        "KC906": ##"""
        actor SessionStore {
            func token(_ query: [String: Any]) throws -> Data? {
                var result: CFTypeRef?
                let status = SecItemCopyMatching(query as CFDictionary, &result)
                guard status == errSecSuccess else { throw StatusError(status) }
                return result as? Data
            }
        }

        @MainActor
        final class SessionModel {
            nonisolated func forget(_ query: [String: Any]) -> OSStatus {
                SecItemDelete(query as CFDictionary)
            }
        }
        """##,
        "KC907": ##"""
        actor Store {
            private var cache: Data?

            func token(_ query: [String: Any]) throws -> Data? {
                var result: CFTypeRef?
                let status = SecItemCopyMatching(query as CFDictionary, &result)
                guard status == errSecSuccess else { throw StatusError(status) }
                cache = result as? Data
                return cache
            }
        }
        """##,
        "KC908": ##"""
        // App.swift
        let name = Bundle.main.infoDictionary?["CFBundleName"] as? String

        <!-- Info.plist -->
        <plist version="1.0"><dict>
        <key>PaymentApiKey</key>
        <string>$(PAYMENT_KEY)</string>
        <key>CFBundleName</key>
        <string>Notes and more</string>
        </dict></plist>
        """##,
        "KC909": ##"""
        enum Session {
            static func save(_ access: Data, _ refresh: Data) -> [OSStatus] {
                let first: [CFString: Any] = [
                    kSecClass: kSecClassGenericPassword, kSecAttrService: "session",
                    kSecAttrAccount: "access", kSecValueData: access,
                    kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
                ]
                let second: [CFString: Any] = [
                    kSecClass: kSecClassGenericPassword, kSecAttrService: "session",
                    kSecAttrAccount: "refresh", kSecValueData: refresh,
                    kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
                ]
                return [
                    SecItemAdd(first as CFDictionary, nil),
                    SecItemAdd(second as CFDictionary, nil),
                ]
            }

            static func signOut() -> OSStatus {
                let query: [CFString: Any] = [
                    kSecClass: kSecClassGenericPassword, kSecAttrService: "session",
                ]
                return SecItemDelete(query as CFDictionary)
            }
        }
        """##,
        "KC910": ##"""
        func refreshToken() async throws {
            let token = try await api.refresh()
            try keychain.save(token, for: "token")
        }
        """##,
        "KC911": ##"""
        import Security
        """##,
        "KC912": ##"""
        func store(_ thumbnail: Data, at url: URL) throws {
            try thumbnail.write(to: url, options: .noFileProtection)
        }
        """##,
        "KC913": ##"""
        let flags: SecAccessControlCreateFlags = [.biometryAny, .or, .devicePasscode]
        """##,
        "KC914": ##"""
        import Foundation
        import Security

        func message(_ status: OSStatus) -> Bool { status == errSecItemNotFound }
        """##,
    ]
}
