import Glibc
import KeychainSockets
import RemoteRelay
import Secrets

// keychain-relay: started by keychain-sync, which loads no client library of a server. It connects
// to PostgreSQL or etcd, and sees only sealed entries. Requests arrive at descriptor 3.

CoreDump.exclude()
signal(SIGPIPE, SIG_IGN)
umask(0o077)
let words = CommandLine.arguments.dropFirst()
if words.elementsEqual(["--help"]) {
    print(RelayHelp.text)
    exit(0)
}
guard words.isEmpty, RaisedGroup.drop(), let stream = RelayHelp.connection() else {
    RelayHelp.complain()
    exit(2)
}
RelayService(stream, opening: ServedRelay.open).run()
// A thread may be using a library, which `exit` handlers must not disturb.
_exit(0)
