// ★ Made from Fixtures by generate.py: examples of the rules of KC6.

extension Examples {
    static let badKC6: [String: String] = [
        "KC601": ##"""
        func moveToken(_ query: [String: Any]) throws {
            guard let token = UserDefaults.standard.data(forKey: "token") else { return }
            UserDefaults.standard.removeObject(forKey: "token")
            try keychainSave(token, service: "session", account: "token")
        }
        """##,
        "KC602": ##"""
        func save(_ data: Data) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "session",
                kSecAttrAccount as String: "refresh",
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC603": ##"""
        @main
        struct NotesApp: App {
            let store = KeychainStore()
            var body: some Scene { WindowGroup { NotesView(store: store) } }
        }
        """##,
        "KC604": ##"""
        func cleanupAfterReinstall() {
            for itemClass in [kSecClassGenericPassword, kSecClassInternetPassword] {
                SecItemDelete([kSecClass: itemClass] as CFDictionary)
            }
        }
        """##,
        "KC605": ##"""
        import FirebaseCore

        func start() {
            FirebaseApp.configure()
            performCleanupIfNeeded()
        }
        """##,
        "KC606": ##"""
        class AppDelegate: UIResponder, UIApplicationDelegate {
            func application(
                _ application: UIApplication,
                didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
            ) -> Bool {
                migrateItems()
                return true
            }

            private func migrateItems() {
                guard keychainVersion() < 2 else { return }
                let query: [String: Any] = [
                    kSecClass as String: kSecClassGenericPassword,
                    kSecAttrService as String: "session",
                    kSecAttrAccount as String: "token",
                ]
                let values = [kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock]
                report(SecItemUpdate(query as CFDictionary, values as CFDictionary))
            }
        }
        """##,
        "KC607": ##"""
        func migrateToken() throws {
            guard UIApplication.shared.isProtectedDataAvailable else { return }
            guard let token = UserDefaults.standard.data(forKey: "token") else { return }
            try keychainSave(token, service: "session", account: "token")
        }
        """##,
        "KC608": ##"""
        func finishMigration() throws {
            try keychainSave(Data("2".utf8), service: "app", account: "probe")
            UserDefaults.standard.set(2, forKey: "schemaVersion")
        }
        """##,
        "KC609": ##"""
        func save(_ data: Data) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "org.example.session",
                kSecAttrAccount as String: "token",
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC610": ##"""
        func waitForProtectedData() async {
            await withCheckedContinuation { continuation in
                NotificationCenter.default.addObserver(
                    forName: UIApplication.protectedDataDidBecomeAvailableNotification,
                    object: nil,
                    queue: nil
                ) { _ in continuation.resume() }
            }
        }
        """##,
        "KC611": ##"""
        func forgetSettings() {
            guard let bundleID = Bundle.main.bundleIdentifier else { return }
            UserDefaults.standard.removePersistentDomain(forName: bundleID)
        }
        """##,
        "KC612": ##"""
        func copyToken() throws {
            if let token = UserDefaults.standard.data(forKey: "token") {
                try keychainSave(token, service: "session", account: "token")
            }
        }
        """##,
        "KC613": ##"""
        func migrateService(_ data: Data) throws {
            try keychainSave(data, service: "new", account: "token")
            try keychainDelete(service: "old", account: "token")
        }
        """##,
        "KC614": ##"""
        func handle(task: BGProcessingTask) {
            migrateAccessibility()
        }

        func migrateAccessibility() {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "session",
                kSecAttrAccount as String: "token",
            ]
            let values = [kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock]
            report(SecItemUpdate(query as CFDictionary, values as CFDictionary))
        }
        """##,
        "KC615": ##"""
        func shred(_ file: URL, size: Int) throws {
            let zeros = Data(repeating: 0, count: size)
            try zeros.write(to: file)
            try FileManager.default.removeItem(at: file)
        }
        """##,
        "KC616": ##"""
        func session(_ file: String) -> Any? {
            NSKeyedUnarchiver.unarchiveObject(withFile: file)
        }

        func open(_ unarchiver: NSKeyedUnarchiver) {
            unarchiver.requiresSecureCoding = false
        }
        """##,
        "KC617": ##"""
        final class StoreTests: XCTestCase {
            func testSave() {
                let item: [String: Any] = [
                    kSecClass as String: kSecClassGenericPassword,
                    kSecAttrService as String: "test",
                    kSecAttrAccount as String: "ada",
                    kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
                    kSecValueData as String: Data("value".utf8),
                ]
                XCTAssertEqual(SecItemAdd(item as CFDictionary, nil), errSecSuccess)
            }
        }
        """##,
    ]
    static let goodKC6: [String: String] = [
        "KC601": ##"""
        func moveToken() throws {
            guard let token = UserDefaults.standard.data(forKey: "token") else { return }
            try keychainSave(token, service: "session", account: "token")
            guard try keychainRead(service: "session", account: "token") == token else {
                throw MigrationError.differs
            }
            UserDefaults.standard.removeObject(forKey: "token")
        }
        """##,
        "KC602": ##"""
        func save(_ data: Data) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "session",
                kSecAttrAccount as String: "refresh",
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }

        /// After a restore the item is gone, and the user signs in again.
        func needsSignIn(_ status: OSStatus) -> Bool { status == errSecItemNotFound }
        """##,
        "KC603": ##"""
        @main
        struct NotesApp: App {
            let store = KeychainStore()

            init() {
                cleanUpAtFirstLaunch()
            }

            var body: some Scene { WindowGroup { NotesView(store: store) } }

            private func cleanUpAtFirstLaunch() {
                let defaults = UserDefaults.standard
                // Before the first unlock the defaults look empty.
                guard UIApplication.shared.isProtectedDataAvailable,
                    !defaults.bool(forKey: "launchedBefore")
                else { return }
                // Existing users have no flag either, but a key that every earlier version set.
                let isUpdate = defaults.object(forKey: "lastOpenedNote") != nil
                if !isUpdate { store.deleteAllKeychainItems() }
                defaults.set(true, forKey: "launchedBefore")
            }
        }
        """##,
        "KC604": ##"""
        func cleanupAfterReinstall() {
            let classes = [
                kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate,
                kSecClassKey,
                kSecClassIdentity,
            ]
            for itemClass in classes {
                let query = [
                    kSecClass: itemClass, kSecAttrSynchronizable: kSecAttrSynchronizableAny,
                ]
                SecItemDelete(query as CFDictionary)
            }
        }
        """##,
        "KC605": ##"""
        import FirebaseCore

        func start() {
            performCleanupIfNeeded()
            FirebaseApp.configure()
        }
        """##,
        "KC606": ##"""
        class AppDelegate: UIResponder, UIApplicationDelegate {
            func application(
                _ application: UIApplication,
                didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
            ) -> Bool {
                if application.isProtectedDataAvailable { migrateItems() }
                return true
            }

            private func migrateItems() {
                guard keychainVersion() < 2 else { return }
                let query: [String: Any] = [
                    kSecClass as String: kSecClassGenericPassword,
                    kSecAttrService as String: "session",
                    kSecAttrAccount as String: "token",
                ]
                let values = [kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock]
                report(SecItemUpdate(query as CFDictionary, values as CFDictionary))
            }
        }
        """##,
        "KC607": ##"""
        func migrateToken() throws {
            guard UIApplication.shared.isProtectedDataAvailable, try storedVersion() < 2 else {
                return
            }
            guard let token = UserDefaults.standard.data(forKey: "token") else { return }
            try keychainSave(token, service: "session", account: "token")
            guard try keychainRead(service: "session", account: "token") == token else {
                throw MigrationError.differs
            }
            UserDefaults.standard.removeObject(forKey: "token")
            try saveVersion(2)
        }
        """##,
        "KC608": ##"""
        func finishMigration() throws {
            try keychainSave(Data("2".utf8), service: "app", account: "schema-version")
            UserDefaults.standard.set(true, forKey: "launchedBefore")
        }
        """##,
        "KC609": ##"""
        func save(_ data: Data) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "org.example.session",
                kSecAttrAccount as String: "token",
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }

        func rekey() throws {
            let data = try keychainRead(service: "session", account: "token")
            try keychainSave(data, service: "org.example.session", account: "token")
            guard try keychainRead(service: "org.example.session", account: "token") == data
            else {
                throw MigrationError.differs
            }
            try keychainDelete(service: "session", account: "token")
        }
        """##,
        "KC610": ##"""
        func waitForProtectedData() async {
            let name = UIApplication.protectedDataDidBecomeAvailableNotification
            for await _ in NotificationCenter.default.notifications(named: name) { break }
        }
        """##,
        "KC611": ##"""
        func forgetSettings() {
            for key in ["sort-order", "theme"] {
                UserDefaults.standard.removeObject(forKey: key)
            }
            UserDefaults.standard.removePersistentDomain(forName: "group.example.cache")
        }
        """##,
        "KC612": ##"""
        func copyToken() throws {
            if let token = UserDefaults.standard.data(forKey: "token") {
                try keychainSave(token, service: "session", account: "token")
                guard try keychainRead(service: "session", account: "token") == token else {
                    return
                }
                UserDefaults.standard.removeObject(forKey: "token")
            }
        }
        """##,
        "KC613": ##"""
        func migrateService(_ data: Data) throws {
            try keychainSave(data, service: "new", account: "token")
            guard try keychainRead(service: "new", account: "token") == data else {
                throw MigrationError.differs
            }
            try keychainDelete(service: "old", account: "token")
        }
        """##,
        "KC614": ##"""
        func handle(task: BGProcessingTask) {
            upload()
        }

        func sceneDidBecomeActive() {
            migrateAccessibility()
        }

        func migrateAccessibility() {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "session",
                kSecAttrAccount as String: "token",
            ]
            let values = [kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock]
            report(SecItemUpdate(query as CFDictionary, values as CFDictionary))
        }
        """##,
        "KC615": ##"""
        func shred(_ file: URL) throws {
            try FileManager.default.removeItem(at: file)
        }
        """##,
        "KC616": ##"""
        func session(_ data: Data) throws -> Session? {
            try NSKeyedUnarchiver.unarchivedObject(ofClass: Session.self, from: data)
        }
        """##,
        "KC617": ##"""
        final class StoreTests: XCTestCase {
            private let service = UUID().uuidString

            override func tearDown() {
                SecItemDelete(
                    [kSecClass: kSecClassGenericPassword, kSecAttrService: service]
                        as CFDictionary
                )
            }

            func testSave() {
                let item: [String: Any] = [
                    kSecClass as String: kSecClassGenericPassword,
                    kSecAttrService as String: service,
                    kSecAttrAccount as String: "ada",
                    kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
                    kSecValueData as String: Data("value".utf8),
                ]
                XCTAssertEqual(SecItemAdd(item as CFDictionary, nil), errSecSuccess)
            }
        }
        """##,
    ]
}
