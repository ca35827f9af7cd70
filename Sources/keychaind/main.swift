import Glibc
import KeychainDaemon
import KeychainHost
import Secrets

CoreDump.exclude()
CompanionChip.register()
exit(DaemonCommand.run(Array(CommandLine.arguments.dropFirst())))
