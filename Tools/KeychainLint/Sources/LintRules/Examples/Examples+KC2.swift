// ★ Made from Fixtures by generate.py: examples of the rules of KC2.

extension Examples {
    static let badKC2: [String: String] = [
        "KC201": ##"""
        func save(_ data: Data, service: String, account: String) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC202": ##"""
        func save(_ data: Data, service: String, account: String) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                kSecAttrAccessible as String: kSecAttrAccessibleAlways,
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC203": ##"""
        // Store.swift
        enum Store {
            static let service = "session"

            static func save(_ data: Data) -> OSStatus {
                let item: [String: Any] = [
                    kSecClass as String: kSecClassGenericPassword,
                    kSecAttrService as String: service,
                    kSecAttrAccount as String: "refresh",
                    kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
                    kSecValueData as String: data,
                ]
                return SecItemAdd(item as CFDictionary, nil)
            }
        }

        // Widget.swift
        struct Provider: TimelineProvider {
            func getTimeline(
                in context: Context,
                completion: @escaping (Timeline<Entry>) -> Void
            ) {
                completion(Timeline(entries: [Entry(token())], policy: .never))
            }

            private func token() -> (OSStatus, Data?) {
                let query: [String: Any] = [
                    kSecClass as String: kSecClassGenericPassword,
                    kSecAttrService as String: Store.service,
                    kSecAttrAccount as String: "refresh",
                    kSecReturnData as String: true,
                ]
                var result: CFTypeRef?
                let status = SecItemCopyMatching(query as CFDictionary, &result)
                return (status, result as? Data)
            }
        }
        """##,
        "KC204": ##"""
        func save(_ data: Data, service: String, account: String, control: SecAccessControl)
            -> OSStatus
        {
            var item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                kSecAttrAccessControl as String: control,
                kSecValueData as String: data,
            ]
            item[kSecAttrAccessible as String] = kSecAttrAccessibleWhenUnlocked
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC205": ##"""
        func save(_ data: Data) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "session",
                kSecAttrAccount as String: "refresh-token",
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC206": ##"""
        class Service: UNNotificationServiceExtension {
            override func didReceive(_ request: UNNotificationRequest) {
                var result: CFTypeRef?
                let query: [String: Any] = [
                    kSecClass as String: kSecClassGenericPassword,
                    kSecAttrService as String: "push",
                    kSecAttrAccount as String: "key",
                    kSecReturnData as String: true,
                ]
                let status = SecItemCopyMatching(query as CFDictionary, &result)
                finish(status, result)
            }
        }

        func saveKey(_ data: Data) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "push",
                kSecAttrAccount as String: "key",
                kSecAttrAccessible as String: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC207": ##"""
        class AppDelegate: UIResponder, UIApplicationDelegate {
            func application(
                _ application: UIApplication,
                didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
            ) -> Bool {
                restoreSession()
                return true
            }

            private func restoreSession() {
                var result: CFTypeRef?
                let query: [String: Any] = [
                    kSecClass as String: kSecClassGenericPassword,
                    kSecAttrService as String: "session",
                    kSecAttrAccount as String: "refresh",
                    kSecReturnData as String: true,
                ]
                let status = SecItemCopyMatching(query as CFDictionary, &result)
                start(with: status, result as? Data)
            }
        }
        """##,
        "KC208": ##"""
        func save(_ data: Data) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "vault",
                kSecAttrAccount as String: "seal",
                kSecAttrAccessible as String: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
    ]
    static let goodKC2: [String: String] = [
        "KC201": ##"""
        func save(_ data: Data, service: String, account: String) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC202": ##"""
        /// Migration code may look for the deprecated class.
        func needsMigration(_ attributes: [String: Any]) -> Bool {
            let accessible = attributes[kSecAttrAccessible as String] as? String
            return accessible == kSecAttrAccessibleAlways as String
        }
        """##,
        "KC203": ##"""
        enum Store {
            static let service = "session"

            static func save(_ data: Data) -> OSStatus {
                let item: [String: Any] = [
                    kSecClass as String: kSecClassGenericPassword,
                    kSecAttrService as String: service,
                    kSecAttrAccount as String: "refresh",
                    kSecAttrAccessible as String:
                        kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
                    kSecValueData as String: data,
                ]
                return SecItemAdd(item as CFDictionary, nil)
            }
        }
        """##,
        "KC204": ##"""
        func save(_ data: Data, service: String, account: String, control: SecAccessControl?)
            -> OSStatus
        {
            var item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                kSecValueData as String: data,
            ]
            if let control {
                item[kSecAttrAccessControl as String] = control
            } else {
                item[kSecAttrAccessible as String] = kSecAttrAccessibleWhenUnlocked
            }
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC205": ##"""
        func save(_ data: Data) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "session",
                kSecAttrAccount as String: "refresh-token",
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC206": ##"""
        class Service: UNNotificationServiceExtension {
            override func didReceive(_ request: UNNotificationRequest) {
                var result: CFTypeRef?
                let query: [String: Any] = [
                    kSecClass as String: kSecClassGenericPassword,
                    kSecAttrService as String: "push",
                    kSecAttrAccount as String: "key",
                    kSecReturnData as String: true,
                ]
                let status = SecItemCopyMatching(query as CFDictionary, &result)
                finish(status, result)
            }
        }

        func saveKey(_ data: Data) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "push",
                kSecAttrAccount as String: "key",
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC207": ##"""
        class AppDelegate: UIResponder, UIApplicationDelegate {
            func application(
                _ application: UIApplication,
                didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
            ) -> Bool {
                restoreSession()
                return true
            }

            private func restoreSession() {
                guard UIApplication.shared.isProtectedDataAvailable else { return retryLater() }
                var result: CFTypeRef?
                let query: [String: Any] = [
                    kSecClass as String: kSecClassGenericPassword,
                    kSecAttrService as String: "session",
                    kSecAttrAccount as String: "refresh",
                    kSecReturnData as String: true,
                ]
                let status = SecItemCopyMatching(query as CFDictionary, &result)
                start(with: status, result as? Data)
            }
        }
        """##,
        "KC208": ##"""
        func save(_ data: Data) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "vault",
                kSecAttrAccount as String: "seal",
                kSecAttrAccessible as String: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }

        func needsSignIn(_ status: OSStatus) -> Bool { status == errSecItemNotFound }
        """##,
    ]
}
