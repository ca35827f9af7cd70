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

    /// The access control as this app's system makes it.
    func control(
        _ flags: SecAccessControlCreateFlags,
        _ protection: CFString = kSecAttrAccessibleWhenUnlocked
    ) -> SecAccessControl? {
        app.run { Self.control(flags, protection) }
    }

    /// The kinds of the prompts shown since the last look.
    func takePrompts() -> [PromptRecord.Kind] {
        defer { device.removePrompts() }
        return device.prompts.map(\.kind)
    }
}

// The four functions.
extension GatedApp {
    /// Adds an item behind an access control.
    func add(
        _ flags: SecAccessControlCreateFlags,
        _ protection: CFString = kSecAttrAccessibleWhenUnlocked,
        account: String = "alice",
        _ execution: SimulatedApp.Execution = .foreground,
        context: LAContext? = nil,
        _ more: [String: Any] = [:]
    ) -> OSStatus {
        app.run(execution) {
            var item = Self.query(account)
            item[kSecAttrAccessControl as String] = Self.control(flags, protection)
            item[kSecValueData as String] = Data("secret of \(account)".utf8)
            item[kSecUseAuthenticationContext as String] = context
            item.merge(more) { $1 }
            return SecItemAdd(item as CFDictionary, nil)
        }
    }

    /// Adds an item that nothing but its class guards.
    func addPlain(
        _ account: String = "plain",
        _ protection: CFString = kSecAttrAccessibleWhenUnlocked
    ) -> OSStatus {
        app.run {
            var item = Self.query(account)
            item[kSecAttrAccessible as String] = protection
            item[kSecValueData as String] = Data("secret of \(account)".utf8)
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

    /// Looks for items with a query of the caller's own.
    func find(
        _ query: [String: Any],
        _ execution: SimulatedApp.Execution = .foreground
    ) -> (status: OSStatus, result: CFTypeRef?) {
        app.run(execution) {
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            return (status, result)
        }
    }

    func update(
        _ changes: [String: Any],
        account: String = "alice",
        _ execution: SimulatedApp.Execution = .foreground,
        context: LAContext? = nil,
        _ more: [String: Any] = [:]
    ) -> OSStatus {
        app.run(execution) {
            var query = Self.query(account)
            query[kSecUseAuthenticationContext as String] = context
            query.merge(more) { $1 }
            return SecItemUpdate(query as CFDictionary, changes as CFDictionary)
        }
    }

    func delete(
        account: String = "alice",
        _ execution: SimulatedApp.Execution = .foreground
    ) -> OSStatus {
        app.run(execution) { SecItemDelete(Self.query(account) as CFDictionary) }
    }
}

// Contexts.
extension GatedApp {
    /// Has a policy evaluated.
    ///
    /// - Returns: nil for success, else the code of the `LAError`.
    func evaluate(
        _ policy: LAPolicy,
        _ context: LAContext = LAContext(),
        _ execution: SimulatedApp.Execution = .foreground
    ) async -> LAError.Code? {
        do {
            let isProven = try await app.run(execution) {
                try await context.evaluatePolicy(policy, localizedReason: "to open the vault")
            }
            #expect(isProven)
            return nil
        } catch let error as LAError {
            return error.code
        } catch {
            Issue.record("not an LAError: \(error)")
            return nil
        }
    }

    /// Whether a policy could be evaluated.
    ///
    /// - Returns: nil if so, else the code of the `LAError`.
    func canEvaluate(_ policy: LAPolicy, _ context: LAContext = LAContext()) -> LAError.Code? {
        app.run {
            var error: NSError?
            guard !context.canEvaluatePolicy(policy, error: &error) else { return nil }
            #expect(error?.domain == LAErrorDomain)
            return error.flatMap { LAError.Code(rawValue: $0.code) }
        }
    }
}
