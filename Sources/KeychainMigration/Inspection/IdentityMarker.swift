import Foundation

/// Notices that the program's identity has changed, and with it the items that it sees.
///
/// The marker lies in the defaults, outside the keychain that is lost with the identity.
/// - Source: Keychain overview, App ID Prefix Change Trap.
public struct IdentityMarker: Sendable {
    /// What a look at the marker says.
    public enum Finding: Codable, Hashable, Sendable {
        /// There was no marker: a first launch. Now there is one.
        case first(String)
        /// The identity is the one of the marker.
        case unchanged(String)
        /// It is another one: the old one's items are out of reach, so the user has to sign in.
        case identityChanged(old: String, new: String)
    }

    private static let key = "keychain-migration.identity"
    private let flags: LaunchFlags
    private let keychain: any Keychain
    private let probe: ItemAddress

    /// A marker in a program's defaults.
    public init(flags: LaunchFlags, keychain: any Keychain = ServicesKeychain()) {
        self.flags = flags
        self.keychain = keychain
        probe = .genericPassword(service: "keychain-migration.identity", account: "probe")
    }

    /// Compares identity and marker; a change is told until ``accept()`` is called.
    public func check() throws(KeychainFailure) -> Finding {
        let identity = try identity()
        guard let marked = flags.text(Self.key) else {
            flags.setText(identity, for: Self.key)
            return .first(identity)
        }
        return marked == identity
            ? .unchanged(identity) : .identityChanged(old: marked, new: identity)
    }

    /// Makes the present identity the marked one, once the user has signed in again.
    public func accept() throws(KeychainFailure) {
        flags.setText(try identity(), for: Self.key)
    }

    /// The default access group, which begins with the team's or the legacy prefix.
    ///
    /// The keychain tells it of an item that names no group.
    private func identity() throws(KeychainFailure) -> String {
        do throws(KeychainFailure) {
            try keychain.add(KeychainItem(at: probe, value: SecretBytes("")))
        } catch {
            // What a crash left behind answers as well.
            guard error.isDuplicate else { throw error }
        }
        let found = try keychain.read(probe)
        try keychain.delete(probe)
        guard let group = found?.address.accessGroup else {
            throw KeychainFailure(.read, status: -25300)
        }
        return group
    }
}
