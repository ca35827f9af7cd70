import Glibc
import KeychainCommand
import KeychainHost
import Secrets

CoreDump.exclude()
RaisedGroup.keepFromFiles()
ProtectedCommand.yieldToChoice()
CompanionChip.register()
exit(Invocation.runCompanion("sync", SyncCommand.run))
