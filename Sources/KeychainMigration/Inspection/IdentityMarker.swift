import Foundation

/// A marker that detects a change of the program's identity, and thus of its visible items.
///
/// The marker is in the defaults, because the keychain is lost with the identity.
///
/// ```swift
/// let marker = IdentityMarker(flags: LaunchFlags())
/// if case .identityChanged = try marker.check() { print("Please sign in again.") }
/// ```
/// - Source: Keychain overview, App ID Prefix Change Trap.
public struct IdentityMarker: Sendable {
    /// The result of comparing the marker with the current identity.
    ///
    /// ```swift
    /// if case .identityChanged(let old, let new) = try marker.check() { print(old, new) }
    /// ```
    public enum Finding: Codable, Hashable, Sendable {
        /// No marker existed, so this is a first launch; now a marker exists.
        case first(String)
        /// The identity equals the marker.
        case unchanged(String)
        /// The identity changed: the old items are out of reach, and the user must sign in again.
        case identityChanged(old: String, new: String)
    }

    private static let key = "keychain-migration.identity"
    private let flags: LaunchFlags
    private let keychain: any Keychain
    private let probe: ItemAddress

    /// Creates a marker in a program's defaults.
    public init(flags: LaunchFlags, keychain: any Keychain = ServicesKeychain()) {
        self.flags = flags
        self.keychain = keychain
        probe = .genericPassword(service: "keychain-migration.identity", account: "probe")
    }

    /// Compares the identity with the marker; reports a change until you call ``accept()``.
    public func check() throws(KeychainFailure) -> Finding {
        let identity = try identity()
        guard let marked = flags.text(Self.key) else {
            flags.setText(identity, for: Self.key)
            return .first(identity)
        }
        return marked == identity
            ? .unchanged(identity) : .identityChanged(old: marked, new: identity)
    }

    /// Sets the marker to the current identity, after the user has signed in again.
    public func accept() throws(KeychainFailure) {
        flags.setText(try identity(), for: Self.key)
    }

    /// Returns the default access group, which begins with the team's or the legacy prefix.
    ///
    /// The keychain assigns this group to an item that names none.
    private func identity() throws(KeychainFailure) -> String {
        do throws(KeychainFailure) {
            try keychain.add(KeychainItem(at: probe, value: SecretBytes("")))
        } catch {
            // An item that a crash left behind has the group, too.
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
