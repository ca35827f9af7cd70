import Foundation
import KeychainCommand
import Secrets
import SecureElementTPM

CoreDump.exclude()
RaisedGroup.keepFromFiles()
TPMSupport.register()
exit(Invocation.runCompanion("migrate", MigrateCommand.ofThisProcess.run))
