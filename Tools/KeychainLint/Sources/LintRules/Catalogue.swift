/// All rules, in the order of their numbers.
package enum Catalogue {
    package static let rules: [Rule] =
        queries + accessibility + accessControl + itemClasses + statuses + migration + sharing
        + macOS
        + secrets + cryptography

    package static let byID: [String: Rule] = Dictionary(
        uniqueKeysWithValues: rules.map { ($0.id, $0) }
    )

    /// Finds a rule by its number or its name.
    package static func rule(named name: String) -> Rule? {
        byID[name.uppercased()] ?? rules.first { $0.name == name.lowercased() }
    }

    /// The titles of the families, in order.
    package static let families: [(id: String, title: String)] = [
        ("KC1", "Queries"), ("KC2", "Accessibility"), ("KC3", "Access control and biometry"),
        ("KC4", "Item classes and keys"), ("KC5", "Statuses"), ("KC6", "Migration and lifecycle"),
        ("KC7", "Sharing and synchronization"), ("KC8", "macOS"), ("KC9", "Secrets elsewhere"),
        ("KX", "Cryptography"),
    ]
}
