import Foundation
import KeychainServices
import KeychainSimulator
import VaultTesting

@testable import Vault

extension SecretItem where Self == Password {
    /// A token that background work can read.
    static var token: Password { Password(service: "api", account: "token") }
    /// A password that can be read only while the device is unlocked.
    static var pin: Password {
        Password(service: "api", account: "pin", protection: .whenUnlockedThisDeviceOnly)
    }
    /// A key that only its owner reads.
    static var diary: Password {
        Password(service: "diary", account: "key", protection: .requiring(.userPresence))
    }
}

extension SimulatedApp.Manifest {
    /// An app with two access groups.
    static let twoGroups = SimulatedApp.Manifest(
        bundleIdentifier: "com.example.app",
        keychainAccessGroups: ["com.example.app", "com.example.shared"]
    )
}

let ownGroup = "TEAMID1234.com.example.app"
let sharedGroup = "TEAMID1234.com.example.shared"

extension Vault {
    func text(_ item: some SecretItem) throws(VaultError) -> String? { try read(item) }

    func saveAll(_ items: [some SecretItem], _ text: String) throws(VaultError) {
        for item in items { try save(text, in: item) }
    }
}

/// The error of a call; nil if it succeeded.
func failure(of call: () throws -> Void) -> VaultError? {
    do {
        try call()
        return nil
    } catch {
        return error as? VaultError ?? VaultError(errSecCoreFoundationUnknown, .read, .key, nil)
    }
}

/// The error of an asynchronous call; nil if it succeeded.
func failure(of call: () async throws -> Void) async -> VaultError? {
    do {
        try await call()
        return nil
    } catch {
        return error as? VaultError ?? VaultError(errSecCoreFoundationUnknown, .read, .key, nil)
    }
}
