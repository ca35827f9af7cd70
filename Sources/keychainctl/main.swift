import Glibc
import KeychainCommand
import Secrets
import SecureElementTPM

CoreDump.exclude()
RaisedGroup.keepFromFiles()
TPMSupport.register()
exit(Invocation.runProcess())
