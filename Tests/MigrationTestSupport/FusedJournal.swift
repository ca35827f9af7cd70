package import KeychainMigration

/// A journal whose process can be killed.
package struct FusedJournal: MigrationJournal {
    private let base: any MigrationJournal
    private let fuse: Fuse

    package init(_ base: any MigrationJournal, _ fuse: Fuse) {
        self.base = base
        self.fuse = fuse
    }

    package func entries() throws(JournalFailure) -> [String: JournalEntry] {
        guard fuse.allowsReading() else { throw .unreadable("killed") }
        return try base.entries()
    }

    package func record(_ entry: JournalEntry) throws(JournalFailure) {
        guard fuse.burn() else { throw .unwritable("killed") }
        try base.record(entry)
        fuse.happened()
    }
}
