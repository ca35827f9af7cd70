import Glibc
import KeychainModel
import Secrets

/// A library that other people's programs load, and that brings the keychain with it.
///
/// Such a program declares no groups of its own. Without a daemon, the entitlements beside the
/// library say which groups it has there; what the program declares itself comes first.
/// - Source: Documentation/Spec/pkcs11.md §2.
package enum HostingLibrary {
    private static let path = AdaptiveMutex<String?>(nil)

    /// Names the library of this process, before its first request.
    package static func declare(path: String) { self.path.withLock { $0 = path } }

    /// The path of the entitlements, whether or not there are any.
    static var entitlements: String? { path.withLock { $0 }.map { $0 + ".entitlements" } }
}

extension EmbeddedKeychain {
    /// Insists that there is a keychain already: a program that looks for tokens makes none.
    ///
    /// - Throws: `errSecNoSuchKeychain`.
    package static func requireKeychain(
        _ environment: ProcessEnvironment
    ) throws(KeychainError) {
        guard environment[SimulationSocket.variable] == nil,
            DaemonSocket.found(environment) == nil
        else { return }
        let home = try KeychainHome(environment)
        guard access(home.database, F_OK) == 0 else {
            throw KeychainError(.noSuchKeychain, "there is no keychain at \(home.directory)")
        }
    }
}
