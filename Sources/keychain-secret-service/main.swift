import Glibc
import KeychainHost
import KeychainSecretService
import Secrets

// keychain-secret-service: the door for programs that use org.freedesktop.secrets. The keys stay in
// the daemon or, without one, in the embedded keychain of this process.

CoreDump.exclude()
RaisedGroup.keepFromFiles()
signal(SIGPIPE, SIG_IGN)
CompanionChip.register()
exit(SecretServiceProgram.run(Array(CommandLine.arguments.dropFirst())))
