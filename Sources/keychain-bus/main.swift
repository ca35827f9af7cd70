import Glibc
import Secrets

// keychain-bus: talks to the Secret Service of a session for keychain-migrate, which has rights
// that no program of the bus may reach.

CoreDump.exclude()
signal(SIGPIPE, SIG_IGN)
exit(BusService.run(Array(CommandLine.arguments.dropFirst())))
