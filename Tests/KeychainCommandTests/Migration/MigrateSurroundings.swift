import KeychainMigration
import KeychainModel

@testable import keychain_migrate

extension MigrateCommand.Surroundings {
    /// A home directory for a test, with a journal in memory.
    static func inMemory(home: String) -> MigrateCommand.Surroundings {
        let journal = InMemoryJournal()
        return MigrateCommand.Surroundings(
            home: home,
            journal: { () throws(KeychainError) in journal }
        )
    }
}
