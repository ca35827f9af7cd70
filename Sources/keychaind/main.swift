import Glibc
import KeychainDaemon
import Secrets
import SecureElementTPM

CoreDump.exclude()
TPMSupport.register()
exit(DaemonCommand.run(Array(CommandLine.arguments.dropFirst())))
