import Foundation
import KeychainMigration
import KeychainModel
import MigrationTestSupport

@testable import keychain_migrate

extension MigrateCommand.Dependencies {
    /// A home whose every effect passes the injector; the journal is a file that outlives the run.
    static func crashing(home: String, _ injector: CrashInjector) -> MigrateCommand.Dependencies {
        let file = URL(filePath: home).appending(path: "journal")
        return MigrateCommand.Dependencies(
            home: home,
            keychain: CrashingKeychain(ServicesKeychain(), injector),
            journal: { () throws(KeychainError) in
                CrashingJournal(FileJournal(file: file), injector)
            },
            between: { CrashingSource($0, injector) }
        )
    }
}
