import Glibc
import KeychainHost
import KeychainMessages
import KeychainModel
import Secrets

// keychain-pam unlock|change [SOCKET]: pam_keychain.so starts it with the rights of the account
// that logs in. It reads the passwords from standard input, each after its size in four bytes, and
// sends them to the daemon. As a protected program it ignores SOCKET. It counts at most one attempt
// at the passcode.
//
// Exit status: 0 done, or nothing to do; 1 failed; 2 wrong usage; 3 no daemon answers; 4 the
// keychain has another passcode; 5 too many wrong passcodes before.

CoreDump.exclude()
RaisedGroup.keepFromFiles()
signal(SIGPIPE, SIG_IGN)

let arguments = CommandLine.arguments.dropFirst()
if arguments.elementsEqual(["--help"]) {
    print(LoginHelp.text)
    exit(LoginErrand.Outcome.done.rawValue)
}
guard let verb = arguments.first.flatMap(LoginErrand.Verb.init(rawValue:)), arguments.count <= 2
else { exit(LoginErrand.Outcome.usage.rawValue) }
let named = arguments.count == 2 ? arguments.last : nil
guard let socket = LoginErrand.socket(named) else { exit(LoginErrand.Outcome.noDaemon.rawValue) }
let daemon = DaemonEndpoint(path: socket, server: LoginErrand.server) { _ in }
let errand = LoginErrand(endpoint: daemon)
exit(errand.run(verb).rawValue)
