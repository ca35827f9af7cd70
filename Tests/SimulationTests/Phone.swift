import KeychainServices
import KeychainSimulator

/// A phone, or another device, with one app on it.
struct Phone {
    let device: SimulatedDevice
    let app: SimulatedApp

    init(_ system: SystemProfile = .iOS(26), groups: [String] = []) throws {
        device = try SimulatedDevice(system: system)
        app = device.install(.example(groups: groups))
    }

    /// Reads the attributes and the value of the app's password for an account.
    func find(_ account: String) -> (status: OSStatus, item: [String: Any]) {
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrAccount: account,
            kSecReturnAttributes: true, kSecReturnData: true,
            kSecUseDataProtectionKeychain: true,
        ]
        var result: CFTypeRef?
        let status = app.run(.background) { SecItemCopyMatching(query as CFDictionary, &result) }
        return (status, result as? [String: Any] ?? [:])
    }

    /// Adds a password of the app.
    func add(_ value: String, account: String, accessible: CFString) -> OSStatus {
        let item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrAccount: account,
            kSecAttrAccessible: accessible, kSecValueData: Data(value.utf8),
        ]
        return app.run { SecItemAdd(item as CFDictionary, nil) }
    }
}

extension SimulatedApp.Manifest {
    /// An app with these application groups.
    static func example(_ name: String = "app", groups: [String] = []) -> Self {
        .init(bundleIdentifier: "com.example." + name, applicationGroups: groups)
    }
}
