import Foundation
import KeychainCommand
import KeychainHost
import Secrets

CoreDump.exclude()
RaisedGroup.keepFromFiles()
ProtectedCommand.yieldToChoice()
CompanionChip.register()
exit(Invocation.runCompanion("migrate", MigrateCommand.ofThisProcess.run))
