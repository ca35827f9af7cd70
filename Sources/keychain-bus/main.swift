import Glibc
import Secrets

// keychain-bus: uses a session's Secret Service for keychain-migrate, whose rights no program on
// the bus may get.

CoreDump.exclude()
signal(SIGPIPE, SIG_IGN)
exit(BusService.run(Array(CommandLine.arguments.dropFirst())))
