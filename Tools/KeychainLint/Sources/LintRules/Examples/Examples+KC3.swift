// ★ Made from Fixtures by generate.py: examples of the rules of KC3.

extension Examples {
    static let badKC3: [String: String] = [
        "KC301": ##"""
        func control() throws -> SecAccessControl {
            var error: Unmanaged<CFError>?
            let flags: SecAccessControlCreateFlags = [.biometryAny, .devicePasscode]
            guard
                let control = SecAccessControlCreateWithFlags(
                    nil,
                    kSecAttrAccessibleWhenUnlocked,
                    [.biometryCurrentSet, .devicePasscode],
                    &error
                )
            else { throw ControlError(error) }
            use(flags)
            return control
        }
        """##,
        "KC302": ##"""
        func control() -> SecAccessControl? {
            SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlocked,
                [.biometryAny, .or, .biometryCurrentSet],
                nil
            )
        }
        """##,
        "KC303": ##"""
        func control() -> SecAccessControl? {
            SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, .biometryCurrentSet, nil)
        }
        """##,
        "KC304": ##"""
        final class LockScreen {
            var isUnlocked = false

            func unlock() {
                let context = LAContext()
                context.evaluatePolicy(
                    .deviceOwnerAuthentication,
                    localizedReason: "Open notes"
                ) { success, _ in
                    if success { self.isUnlocked = true }
                }
            }
        }
        """##,
        "KC305": ##"""
        func makeKey(tag: Data) throws -> SecKey {
            var error: Unmanaged<CFError>?
            guard let control = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, [.biometryCurrentSet], &error
            ) else { throw KeyError(error) }
            let attributes: [String: Any] = [
                kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
                kSecAttrKeySizeInBits as String: 256,
                kSecAttrTokenID as String: kSecAttrTokenIDSecureEnclave,
                kSecPrivateKeyAttrs as String: [
                    kSecAttrIsPermanent as String: true,
                    kSecAttrApplicationTag as String: tag,
                    kSecAttrAccessControl as String: control,
                ],
            ]
            guard let key = SecKeyCreateRandomKey(attributes as CFDictionary, &error) else {
                throw KeyError(error)
            }
            return key
        }
        """##,
        "KC306": ##"""
        func control() -> SecAccessControl {
            SecAccessControlCreateWithFlags(
                nil,
                kSecAttrAccessibleWhenUnlocked,
                .userPresence,
                nil
            )!
        }
        """##,
        "KC307": ##"""
        func harden(service: String, account: String, control: SecAccessControl) -> OSStatus {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
            ]
            let values: [String: Any] = [
                kSecAttrAccessControl as String: control
            ]
            return SecItemUpdate(query as CFDictionary, values as CFDictionary)
        }
        """##,
        "KC308": ##"""
        func context() -> LAContext {
            let context = LAContext()
            context.touchIDAuthenticationAllowableReuseDuration = 60 * 60
            return context
        }
        """##,
        "KC309": ##"""
        func bankControl() -> SecAccessControl? {
            SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .biometryAny, nil)
        }
        """##,
        "KC310": ##"""
        func refresh(task: BGAppRefreshTask) {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "sync",
                kSecAttrAccount as String: "key",
                kSecReturnData as String: true,
            ]
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            finish(task, status, result)
        }

        func save(_ data: Data, _ control: SecAccessControl) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "sync",
                kSecAttrAccount as String: "key",
                kSecAttrAccessControl as String: control,
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC311": ##"""
        func open(_ done: @escaping (Bool) -> Void) {
            let context = LAContext()
            guard
                context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil)
            else {
                return
            }
            context.evaluatePolicy(
                .deviceOwnerAuthenticationWithBiometrics,
                localizedReason: "Open",
                reply: { ok, _ in done(ok) }
            )
        }
        """##,
        "KC312": ##"""
        func save(_ data: Data) throws -> OSStatus {
            var error: Unmanaged<CFError>?
            guard let control = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .biometryCurrentSet, &error
            ) else { throw ControlError(error) }
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "notes",
                kSecAttrAccount as String: "seal",
                kSecAttrAccessControl as String: control,
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC313": ##"""
        func save(_ data: Data, control: SecAccessControl) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "notes",
                kSecAttrAccount as String: "seal",
                kSecAttrAccessControl as String: control,
                kSecAttrSynchronizable as String: kCFBooleanTrue as Any,
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC314": ##"""
        func delete(service: String, account: String) -> OSStatus {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                kSecUseAuthenticationUI as String: kSecUseAuthenticationUISkip,
            ]
            return SecItemDelete(query as CFDictionary)
        }
        """##,
    ]
    static let goodKC3: [String: String] = [
        "KC301": ##"""
        func control() throws -> SecAccessControl {
            var error: Unmanaged<CFError>?
            guard
                let control = SecAccessControlCreateWithFlags(
                    nil,
                    kSecAttrAccessibleWhenUnlocked,
                    [.biometryCurrentSet, .or, .devicePasscode],
                    &error
                )
            else { throw ControlError(error) }
            return control
        }
        """##,
        "KC302": ##"""
        func control() -> SecAccessControl? {
            SecAccessControlCreateWithFlags(
                nil,
                kSecAttrAccessibleWhenUnlocked,
                .userPresence,
                nil
            )
        }
        """##,
        "KC303": ##"""
        func control() -> SecAccessControl? {
            SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .biometryCurrentSet, nil)
        }

        func signingControl() -> SecAccessControl? {
            SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, .privateKeyUsage, nil)
        }
        """##,
        "KC304": ##"""
        final class LockScreen {
            var notes: Data?

            func unlock() throws {
                let context = LAContext()
                context.localizedReason = "Open notes"
                let query: [String: Any] = [
                    kSecClass as String: kSecClassGenericPassword,
                    kSecAttrService as String: "notes",
                    kSecAttrAccount as String: "contents",
                    kSecUseAuthenticationContext as String: context,
                    kSecReturnData as String: true,
                ]
                var result: CFTypeRef?
                let status = SecItemCopyMatching(query as CFDictionary, &result)
                guard status == errSecSuccess else { throw StatusError(status) }
                notes = result as? Data
            }
        }
        """##,
        "KC305": ##"""
        func makeKey(tag: Data) throws -> SecKey {
            var error: Unmanaged<CFError>?
            guard
                let control = SecAccessControlCreateWithFlags(
                    nil,
                    kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
                    [.privateKeyUsage, .biometryCurrentSet],
                    &error
                )
            else { throw KeyError(error) }
            let attributes: [String: Any] = [
                kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
                kSecAttrKeySizeInBits as String: 256,
                kSecAttrTokenID as String: kSecAttrTokenIDSecureEnclave,
                kSecPrivateKeyAttrs as String: [
                    kSecAttrIsPermanent as String: true,
                    kSecAttrApplicationTag as String: tag,
                    kSecAttrAccessControl as String: control,
                ],
            ]
            guard let key = SecKeyCreateRandomKey(attributes as CFDictionary, &error) else {
                throw KeyError(error)
            }
            return key
        }
        """##,
        "KC306": ##"""
        func control() throws -> SecAccessControl {
            var error: Unmanaged<CFError>?
            guard let control = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlocked, .userPresence, &error
            ) else { throw ControlError(error) }
            return control
        }
        """##,
        "KC307": ##"""
        func harden(service: String, account: String) -> OSStatus {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
            ]
            let values: [String: Any] = [
                kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
            ]
            return SecItemUpdate(query as CFDictionary, values as CFDictionary)
        }
        """##,
        "KC308": ##"""
        func context() -> LAContext {
            let context = LAContext()
            context.touchIDAuthenticationAllowableReuseDuration = 10
            return context
        }
        """##,
        "KC309": ##"""
        func bankControl() -> SecAccessControl? {
            SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .biometryCurrentSet, nil)
        }
        """##,
        "KC310": ##"""
        func refresh(task: BGAppRefreshTask) {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "sync",
                kSecAttrAccount as String: "background-key",
                kSecReturnData as String: true,
            ]
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            finish(task, status, result)
        }

        func save(_ data: Data, _ control: SecAccessControl) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "sync",
                kSecAttrAccount as String: "key",
                kSecAttrAccessControl as String: control,
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC311": ##"""
        func open(_ done: @escaping (Result<Void, any Error>) -> Void) {
            let context = LAContext()
            var error: NSError?
            guard
                context.canEvaluatePolicy(
                    .deviceOwnerAuthenticationWithBiometrics,
                    error: &error
                )
            else {
                switch (error as? LAError)?.code {
                case .biometryLockout, .biometryNotEnrolled: askForPassword(done)
                default: done(.failure(error ?? LAError(.biometryNotAvailable)))
                }
                return
            }
            context.evaluatePolicy(
                .deviceOwnerAuthenticationWithBiometrics,
                localizedReason: "Open",
                reply: { ok, error in
                    done(ok ? .success(()) : .failure(error ?? LAError(.userCancel)))
                }
            )
        }
        """##,
        "KC312": ##"""
        func save(_ data: Data) throws -> OSStatus {
            var error: Unmanaged<CFError>?
            guard let control = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .biometryCurrentSet, &error
            ) else { throw ControlError(error) }
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "notes",
                kSecAttrAccount as String: "seal",
                kSecAttrAccessControl as String: control,
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }

        /// A change of fingerprints makes the item unreadable.
        func needsSignIn(_ status: OSStatus) -> Bool {
            status == errSecItemNotFound || status == errSecAuthFailed
        }
        """##,
        "KC313": ##"""
        func save(_ data: Data, control: SecAccessControl) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "notes",
                kSecAttrAccount as String: "seal",
                kSecAttrAccessControl as String: control,
                kSecAttrSynchronizable as String: false,
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC314": ##"""
        func openItems(service: String) -> OSStatus {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecMatchLimit as String: kSecMatchLimitAll,
                kSecReturnAttributes as String: true,
                kSecUseAuthenticationUI as String: kSecUseAuthenticationUISkip,
            ]
            var result: CFTypeRef?
            return SecItemCopyMatching(query as CFDictionary, &result)
        }
        """##,
    ]
}
