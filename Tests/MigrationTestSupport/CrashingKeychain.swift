package import KeychainMigration

/// A keychain whose process can be killed.
package struct CrashingKeychain: Keychain {
    private let base: any Keychain
    private let injector: CrashInjector
    private let dead = KeychainFailure(.add, status: -9)

    package init(_ base: any Keychain, _ injector: CrashInjector) {
        self.base = base
        self.injector = injector
    }

    package func read(_ address: ItemAddress) throws(KeychainFailure) -> KeychainItem? {
        guard injector.allowsReading() else { throw dead }
        return try base.read(address)
    }

    package func exists(_ address: ItemAddress) throws(KeychainFailure) -> Bool {
        guard injector.allowsReading() else { throw dead }
        return try base.exists(address)
    }

    package func list(
        _ scope: ItemScope,
        gated: GatedItems
    ) throws(KeychainFailure) -> [KeychainItem] {
        guard injector.allowsReading() else { throw dead }
        return try base.list(scope, gated: gated)
    }

    package func hasGatedItems(_ scope: ItemScope) throws(KeychainFailure) -> Bool {
        guard injector.allowsReading() else { throw dead }
        return try base.hasGatedItems(scope)
    }

    package func add(_ item: KeychainItem) throws(KeychainFailure) {
        guard injector.allowsEffect() else { throw dead }
        try base.add(item)
        injector.happened()
    }

    package func update(_ address: ItemAddress, _ change: ItemChange) throws(KeychainFailure) {
        guard injector.allowsEffect() else { throw dead }
        try base.update(address, change)
        injector.happened()
    }

    package func delete(_ address: ItemAddress) throws(KeychainFailure) {
        guard injector.allowsEffect() else { throw dead }
        try base.delete(address)
        injector.happened()
    }

    package func delete(_ item: KeychainItem) throws(KeychainFailure) {
        guard injector.allowsEffect() else { throw dead }
        try base.delete(item)
        injector.happened()
    }

    package func deleteAll(_ scope: ItemScope) throws(KeychainFailure) {
        guard injector.allowsEffect() else { throw dead }
        try base.deleteAll(scope)
        injector.happened()
    }
}
