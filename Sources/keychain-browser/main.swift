import Glibc
import KeychainHost
import Secrets

// keychain-browser: answers a browser's extension; the browser starts it for each click.

CoreDump.exclude()
RaisedGroup.keepFromFiles()
ProtectedCommand.yieldToChoice()
umask(0o077)
signal(SIGPIPE, SIG_IGN)
CompanionChip.register()
exit(BrowserProgram.run(Array(CommandLine.arguments.dropFirst())))
