import Foundation

/// Items that no query of a program would match any more.
///
/// - Source: Migration guide, Trap 5.
public struct Orphans: Sendable {
    private let known: [ItemScope]

    /// Whatever lies outside the scopes that a program asks for.
    public init(outside known: [ItemScope]) { self.known = known }

    /// The items outside, of all groups of the program; their values are not read.
    ///
    /// Items with constraints are among them only if the user may be asked for each.
    public func list(
        in keychain: any Keychain = ServicesKeychain(),
        gated: GatedItems = .leaveOut
    ) throws(KeychainFailure) -> [ItemAddress] {
        try keychain.list(.everything, gated: gated)
            .map(\.address)
            .filter { address in !known.contains { $0.contains(address) } }
    }
}
