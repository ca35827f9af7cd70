import Foundation
import KeychainCommand
import MigrationCommand
import SecureElementTPM

TPMSupport.register()
exit(Invocation.runCompanion("migrate", MigrateCommand.ofThisProcess.run))
