import Foundation
import KeychainMigration
import KeychainModel
import MigrationTestSupport

@testable import keychain_migrate

extension MigrateCommand.Dependencies {
    /// A home whose every effect goes through a fuse; the journal is a file that outlives the run.
    static func fused(home: String, _ fuse: Fuse) -> MigrateCommand.Dependencies {
        let file = URL(filePath: home).appending(path: "journal")
        return MigrateCommand.Dependencies(
            home: home,
            keychain: FusedKeychain(ServicesKeychain(), fuse),
            journal: { () throws(KeychainError) in
                FusedJournal(FileJournal(file: file), fuse)
            },
            between: { FusedSource($0, fuse) }
        )
    }
}
