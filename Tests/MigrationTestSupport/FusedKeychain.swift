package import KeychainMigration

/// A keychain whose process can be killed.
package struct FusedKeychain: Keychain {
    private let base: any Keychain
    private let fuse: Fuse
    private let dead = KeychainFailure(.add, status: -9)

    package init(_ base: any Keychain, _ fuse: Fuse) {
        self.base = base
        self.fuse = fuse
    }

    package func read(_ address: ItemAddress) throws(KeychainFailure) -> KeychainItem? {
        guard fuse.allowsReading() else { throw dead }
        return try base.read(address)
    }

    package func exists(_ address: ItemAddress) throws(KeychainFailure) -> Bool {
        guard fuse.allowsReading() else { throw dead }
        return try base.exists(address)
    }

    package func list(
        _ scope: ItemScope,
        gated: GatedItems
    ) throws(KeychainFailure) -> [KeychainItem] {
        guard fuse.allowsReading() else { throw dead }
        return try base.list(scope, gated: gated)
    }

    package func hasGatedItems(_ scope: ItemScope) throws(KeychainFailure) -> Bool {
        guard fuse.allowsReading() else { throw dead }
        return try base.hasGatedItems(scope)
    }

    package func add(_ item: KeychainItem) throws(KeychainFailure) {
        guard fuse.burn() else { throw dead }
        try base.add(item)
        fuse.happened()
    }

    package func update(_ address: ItemAddress, _ change: ItemChange) throws(KeychainFailure) {
        guard fuse.burn() else { throw dead }
        try base.update(address, change)
        fuse.happened()
    }

    package func delete(_ address: ItemAddress) throws(KeychainFailure) {
        guard fuse.burn() else { throw dead }
        try base.delete(address)
        fuse.happened()
    }

    package func delete(_ item: KeychainItem) throws(KeychainFailure) {
        guard fuse.burn() else { throw dead }
        try base.delete(item)
        fuse.happened()
    }

    package func deleteAll(_ scope: ItemScope) throws(KeychainFailure) {
        guard fuse.burn() else { throw dead }
        try base.deleteAll(scope)
        fuse.happened()
    }
}
