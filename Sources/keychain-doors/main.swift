import Glibc
import KeychainCommand
import KeychainHost
import Secrets

CoreDump.exclude()
RaisedGroup.keepFromFiles()
exit(Invocation.runCompanion("doors", DoorsCommand.run))
