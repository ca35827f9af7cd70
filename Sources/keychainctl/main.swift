import Glibc
import KeychainCommand
import Secrets
import SecureElementTPM

CoreDump.exclude()
TPMSupport.register()
exit(Invocation.runProcess())
