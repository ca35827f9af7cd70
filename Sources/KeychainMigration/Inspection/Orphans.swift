import Foundation

/// The items that no query of a program finds any more.
///
/// ```swift
/// let orphans = Orphans(outside: [ItemScope(services: ["com.example.app"])])
/// let addresses = try orphans.list()
/// ```
/// - Source: Migration guide, Trap 5.
public struct Orphans: Sendable {
    private let known: [ItemScope]

    /// Creates a search for the items outside the scopes that a program queries.
    public init(outside known: [ItemScope]) { self.known = known }

    /// Returns the items outside the scopes, from all groups of the program, without reading their
    /// values.
    ///
    /// Items with constraints are included only if the call may prompt for each.
    ///
    /// - Throws: `KeychainFailure`.
    public func list(
        in keychain: any Keychain = ServicesKeychain(),
        gated: GatedItems = .leaveOut
    ) throws(KeychainFailure) -> [ItemAddress] {
        try keychain.list(.everything, gated: gated)
            .map(\.address)
            .filter { address in !known.contains { $0.contains(address) } }
    }
}
