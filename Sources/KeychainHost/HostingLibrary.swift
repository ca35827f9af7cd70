import Glibc
import KeychainModel
import Secrets

/// A library with the keychain in it, loaded by programs of other authors.
///
/// Such a program declares no groups of its own. Without a daemon, the entitlements beside the
/// library name its groups; a declaration of the program itself takes precedence.
/// - Source: Documentation/Spec/pkcs11.md §2.
package enum HostingLibrary {
    private static let path = AdaptiveMutex<String?>(nil)

    /// Names the library of this process; call it before the first request.
    package static func declare(path: String) { self.path.withLock { $0 = path } }

    /// The path of the library's entitlements, which may not exist.
    static var entitlements: String? { path.withLock { $0 }.map { $0 + ".entitlements" } }
}

extension EmbeddedKeychain {
    /// Throws unless a keychain exists, because a program that looks for tokens must not create
    /// one.
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
