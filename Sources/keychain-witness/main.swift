// The one process of the keychain that may look at programs of other accounts.
//
// It has CAP_SYS_PTRACE and no other right: no files, no network, an account of its own. The daemon
// sends it a descriptor of a process; it answers with what /proc says of that process, and with the
// executable opened for reading if anybody may read it. It keeps nothing.

import Glibc
import ProcessWitness
import Secrets

CoreDump.exclude()

// Whoever starts it may have blocked the signals that end it.
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
