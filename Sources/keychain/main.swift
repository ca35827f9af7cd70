import Glibc
import KeychainCommand

exit(Invocation.runProcess())
