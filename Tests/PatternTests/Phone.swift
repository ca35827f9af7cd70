import Foundation
import KeychainSimulator
import Security

@testable import KeychainPatterns

/// A simulated phone with one app, and what the tests of the patterns do with both.
struct Phone: Sendable {
    let device: SimulatedDevice
    let app: SimulatedApp

    init(
        passcode: String? = "0000",
        system: SystemProfile = .iOS(26),
        behavior: BehaviorProfile = .documented,
        app manifest: SimulatedApp.Manifest = .init(bundleIdentifier: "com.example.app")
    ) throws {
        device = try SimulatedDevice(passcode: passcode, system: system, behavior: behavior)
        app = device.install(manifest)
    }

    /// Another phone with the same app.
    func restoredOnAnotherPhone() throws -> Phone {
        let other = try Phone(app: app.manifest)
        try device.migrate(to: other.device)
        return other
    }

    func unlock() throws { try device.unlock(passcode: "0000") }

    /// The numbers of the linter's rules for the mistakes that the calls so far made.
    var mistakes: Set<String> { Set(device.findings.flatMap(\.lintRules)) }

    /// A file of the app.
    func file(_ name: String) -> URL { app.container.appendingPathComponent(name) }

    /// Adds a generic password as an earlier version of the app did.
    func addOld(
        _ secret: Data,
        service: String,
        account: String,
        _ accessible: CFString = kSecAttrAccessibleWhenUnlocked
    ) -> OSStatus {
        app.run {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service, kSecAttrAccount as String: account,
                kSecAttrAccessible as String: accessible, kSecValueData as String: secret,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
    }
}

extension Data {
    static let secret = Data("s3cret".utf8)
    static let other = Data("other secret".utf8)
}

/// The status that the code of a pattern reported; nil if it succeeded.
func status(of call: () throws -> Void) -> OSStatus? {
    do {
        try call()
        return nil
    } catch let error as KeychainError {
        return error.status
    } catch let error as SmallKeychain.Failure {
        return error.status
    } catch {
        return errSecInternalError
    }
}
