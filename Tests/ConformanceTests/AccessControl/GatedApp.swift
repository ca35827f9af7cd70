import KeychainSimulator
import LocalAuthentication
import Testing

/// One app on one device, and the calls that gated items need.
struct GatedApp {
    let device: SimulatedDevice
    let app: SimulatedApp

    init(
        passcode: String? = "0000",
        biometry: SimulatedDevice.Biometry = .faceID,
        system: SystemProfile = .iOS(26),
        behavior: BehaviorProfile = .documented
    ) throws {
        device = try SimulatedDevice(
            passcode: passcode,
            biometry: biometry,
            system: system,
            behavior: behavior
        )
        app = device.install(.init(bundleIdentifier: "com.example.gated"))
    }

    /// The query that names the item.
    static func query(_ account: String = "alice") -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "gated", kSecAttrAccount as String: account,
        ]
    }

    static func control(
        _ flags: SecAccessControlCreateFlags,
        _ protection: CFString = kSecAttrAccessibleWhenUnlocked
    ) -> SecAccessControl? {
        SecAccessControlCreateWithFlags(nil, protection, flags, nil)
    }

    /// Adds an item behind an access control.
    func add(
        _ flags: SecAccessControlCreateFlags,
        _ protection: CFString = kSecAttrAccessibleWhenUnlocked,
        account: String = "alice",
        _ execution: SimulatedApp.Execution = .foreground,
        context: LAContext? = nil
    ) -> OSStatus {
        app.run(execution) {
            var item = Self.query(account)
            item[kSecAttrAccessControl as String] = Self.control(flags, protection)
            item[kSecValueData as String] = Data("secret of \(account)".utf8)
            item[kSecUseAuthenticationContext as String] = context
            return SecItemAdd(item as CFDictionary, nil)
        }
    }

    /// Reads it; the value only with success.
    func read(
        _ execution: SimulatedApp.Execution = .foreground,
        account: String = "alice",
        context: LAContext? = nil,
        _ more: [String: Any] = [:]
    ) -> OSStatus {
        app.run(execution) {
            var query = Self.query(account)
            query[kSecReturnData as String] = true
            query[kSecUseAuthenticationContext as String] = context
            query.merge(more) { $1 }
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            if status == errSecSuccess, more.isEmpty {
                #expect(result as? Data == Data("secret of \(account)".utf8))
            } else if status != errSecSuccess {
                #expect(result == nil)
            }
            return status
        }
    }
}
