import Glibc
import KeychainCommand
import KeychainHost
import Secrets
import SecureElementTPM

CoreDump.exclude()
RaisedGroup.keepFromFiles()
ProtectedCommand.yieldToChoice()
TPMSupport.register()
exit(Invocation.runCompanion("sync", SyncCommand.run))
