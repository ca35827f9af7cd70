import Foundation
import KeychainCommand
import MigrationCommand

exit(Invocation.runCompanion("migrate", MigrateCommand.ofThisProcess.run))
