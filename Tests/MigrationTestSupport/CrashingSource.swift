package import KeychainMigration

/// An old store whose process can be killed.
package struct CrashingSource: LegacySource {
    private let base: any LegacySource
    private let injector: CrashInjector

    package init(_ base: any LegacySource, _ injector: CrashInjector) {
        self.base = base
        self.injector = injector
    }

    package var name: String { base.name }
    package var trust: SourceTrust { base.trust }

    package func read(_ key: String) throws(SourceFailure) -> LegacyValue? {
        guard injector.allowsReading() else { throw SourceFailure(.unreadable, "killed") }
        return try base.read(key)
    }

    package func delete(_ key: String) throws(SourceFailure) {
        guard injector.allowsEffect() else { throw SourceFailure(.undeletable, "killed") }
        try base.delete(key)
        injector.happened()
    }
}
