package import KeychainMigration

/// A journal whose process can be killed.
package struct CrashingJournal: MigrationJournal {
    private let base: any MigrationJournal
    private let injector: CrashInjector

    package init(_ base: any MigrationJournal, _ injector: CrashInjector) {
        self.base = base
        self.injector = injector
    }

    package func entries() throws(JournalFailure) -> [String: JournalEntry] {
        guard injector.allowsReading() else { throw .unreadable("killed") }
        return try base.entries()
    }

    package func record(_ entry: JournalEntry) throws(JournalFailure) {
        guard injector.allowsEffect() else { throw .unwritable("killed") }
        try base.record(entry)
        injector.happened()
    }
}
