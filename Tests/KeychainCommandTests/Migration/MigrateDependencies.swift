import KeychainMigration
import KeychainModel

@testable import keychain_migrate

extension MigrateCommand.Dependencies {
    /// A home directory for a test, with a journal in memory.
    static func inMemory(home: String) -> MigrateCommand.Dependencies {
        let journal = InMemoryJournal()
        return MigrateCommand.Dependencies(
            home: home,
            journal: { () throws(KeychainError) in journal }
        )
    }
}
