import Glibc
import KeychainCommand
import SecureElementTPM

TPMSupport.register()
exit(Invocation.runProcess())
