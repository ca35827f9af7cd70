import KeychainHost
import KeychainMessages
import KeychainModel

// Device management.
extension SimulatedDevice {
    /// A password that device management installs, for example of a mail account.
    ///
    /// ```swift
    /// let password = SimulatedDevice.ManagedPassword("secret", service: "mail", account: "ada")
    /// try phone.installManaged(password, for: app)
    /// ```
    public struct ManagedPassword: Sendable, Hashable {
        /// The password.
        public var value: String
        /// The value of `kSecAttrService`.
        public var service: String
        /// The value of `kSecAttrAccount`.
        public var account: String
        /// The accessibility; nil is the system's default for managed items.
        public var accessibility: Accessibility?

        /// Creates a password that device management installs.
        public init(
            _ value: String,
            service: String,
            account: String,
            accessibility: Accessibility? = nil
        ) {
            self.value = value
            self.service = service
            self.account = account
            self.accessibility = accessibility
        }
    }

    /// Installs a password in an app's default access group, as device management does.
    ///
    /// If the password names no accessibility, its item has
    /// `kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly`. Before iOS 15 it has
    /// `kSecAttrAccessibleAlways`. The call adds no findings to the device.
    ///
    /// - Throws: ``SimulatorError`` with `errSecDuplicateItem` if the item exists,
    ///   `errSecInteractionNotAllowed` if the key of its class is not in memory, and
    ///   `errSecMissingEntitlement` if the app is not installed.
    /// - Source: Keychain access control guide, iOS Version Timeline.
    public func installManaged(_ password: ManagedPassword, for app: SimulatedApp) throws {
        let usual = system.managedItemProtection.code
        let item: AttributeDictionary = [
            QueryKey.itemClass.rawValue: .string(ItemClass.genericPassword.rawValue),
            // Managed items have an accessibility on a Mac, too.
            QueryKey.noLegacy.rawValue: .bool(true),
            Attribute.service.rawValue: .string(password.service),
            Attribute.account.rawValue: .string(password.account),
            Attribute.accessible.rawValue: .string(password.accessibility?.value ?? usual),
            QueryKey.valueData.rawValue: .data(Array(password.value.utf8)),
        ]
        // Findings are about an app's calls. Nothing collects those of this call.
        let result = FindingCollector.$current.withValue(FindingCollector()) {
            () -> Result<Void, KeychainError> in
            do throws(KeychainError) {
                _ = try app.managementEndpoint.send(.items(.add(item)))
                return .success(())
            } catch { return .failure(error) }
        }
        if case .failure(let error) = result { throw SimulatorError(error) }
    }
}
