package import KeychainMigration

/// A keychain that does what another one does, but for the functions it has of its own.
package protocol ForwardingKeychain: Keychain {
    associatedtype Base: Keychain

    var base: Base { get }
}

extension ForwardingKeychain {
    package func read(_ address: ItemAddress) throws(KeychainFailure) -> KeychainItem? {
        try base.read(address)
    }

    package func exists(_ address: ItemAddress) throws(KeychainFailure) -> Bool {
        try base.exists(address)
    }

    package func list(
        _ scope: ItemScope,
        gated: GatedItems
    ) throws(KeychainFailure) -> [KeychainItem] {
        try base.list(scope, gated: gated)
    }

    package func hasGatedItems(_ scope: ItemScope) throws(KeychainFailure) -> Bool {
        try base.hasGatedItems(scope)
    }

    package func add(_ item: KeychainItem) throws(KeychainFailure) { try base.add(item) }

    package func update(
        _ address: ItemAddress,
        _ change: ItemChange
    ) throws(KeychainFailure) {
        try base.update(address, change)
    }

    package func delete(_ address: ItemAddress) throws(KeychainFailure) {
        try base.delete(address)
    }

    package func delete(_ item: KeychainItem) throws(KeychainFailure) { try base.delete(item) }

    package func deleteAll(_ scope: ItemScope) throws(KeychainFailure) {
        try base.deleteAll(scope)
    }
}
