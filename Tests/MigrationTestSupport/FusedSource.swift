package import KeychainMigration

/// An old store whose process can be killed.
package struct FusedSource: LegacySource {
    private let base: any LegacySource
    private let fuse: Fuse

    package init(_ base: any LegacySource, _ fuse: Fuse) {
        self.base = base
        self.fuse = fuse
    }

    package var name: String { base.name }
    package var trust: SourceTrust { base.trust }

    package func read(_ key: String) throws(SourceFailure) -> LegacyValue? {
        guard fuse.allowsReading() else { throw SourceFailure(.unreadable, "killed") }
        return try base.read(key)
    }

    package func delete(_ key: String) throws(SourceFailure) {
        guard fuse.burn() else { throw SourceFailure(.undeletable, "killed") }
        try base.delete(key)
        fuse.happened()
    }
}
