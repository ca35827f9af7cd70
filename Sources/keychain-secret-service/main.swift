import Glibc
import KeychainSecretService
import Secrets
import SecureElementTPM

// keychain-secret-service: the door for programs that use org.freedesktop.secrets. It holds no key
// of a keychain: where a daemon runs, that has them, and else the embedded keychain in this process.

CoreDump.exclude()
RaisedGroup.keepFromFiles()
signal(SIGPIPE, SIG_IGN)
TPMSupport.register()
exit(SecretServiceProgram.run(Array(CommandLine.arguments.dropFirst())))
