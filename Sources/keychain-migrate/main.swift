import Foundation
import KeychainCommand
import KeychainHost
import Secrets
import SecureElementTPM

CoreDump.exclude()
RaisedGroup.keepFromFiles()
ProtectedCommand.yieldToChoice()
TPMSupport.register()
exit(Invocation.runCompanion("migrate", MigrateCommand.ofThisProcess.run))
