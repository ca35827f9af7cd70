// The only process of the keychain that may examine programs of other accounts.
//
// It has CAP_SYS_PTRACE and no other right: no files, no network, a separate account. The daemon
// sends it the descriptor of a process. It replies with facts from /proc about that process, and
// with the opened executable if everybody may read that. It stores nothing.

import Glibc
import ProcessWitness
import Secrets

CoreDump.exclude()

// The parent process may have blocked the signals that end this one.
var none = sigset_t()
sigemptyset(&none)
sigprocmask(SIG_SETMASK, &none, nil)

/// Writes one line on standard error.
func say(_ words: String) {
    let line = "keychain-witness: \(words)\n"
    _ = line.utf8.withContiguousStorageIfAvailable {
        write(STDERR_FILENO, $0.baseAddress, $0.count)
    }
}

/// Ends the program with one line on standard error.
func fail(_ reason: String, status: Int32 = 1) -> Never {
    say(reason)
    exit(status)
}

if CommandLine.arguments.dropFirst().elementsEqual(["--help"]) {
    print(WitnessOptions.help)
    exit(0)
}
guard let options = WitnessOptions(CommandLine.arguments.dropFirst()) else {
    fail(WitnessOptions.usage, status: 2)
}
guard let client = options.clientUserID else {
    fail("there is no account \(options.client), which is the daemon's; create it first")
}
guard let listener = options.listener(for: client) else {
    let words = String(cString: strerror(errno))
    fail(options.socket.map { "cannot listen at \($0): \(words)" } ?? WitnessOptions.socketless)
}
guard WitnessPrivileges.keepOne() else {
    fail("it needs CAP_SYS_PTRACE: start it by systemd or as root")
}
options.endWithParent()
if let path = options.socket { say("answers \(options.client) at \(path)") }
WitnessService(listener: listener, clientUserID: client).run()
