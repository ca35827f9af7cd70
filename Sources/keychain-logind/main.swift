import CProcess
import Glibc
import SystemBus

// keychain-logind: watches systemd-logind and locks the keychain. It holds no keys and opens no
// keychain: it runs `keychainctl lock-keychain`. `keychainctl watch-locks` or systemd starts it.

_ = process_keep_memory()
guard CommandLine.arguments.count == 1 else {
    Diagnostics.write("usage: keychain-logind")
    exit(2)
}
signal(SIGPIPE, SIG_IGN)

// Nothing is lost: a lock in progress belongs to another process.
var ends = sigset_t()
var action = sigaction()
action.__sigaction_handler.sa_handler = { _ in _exit(0) }
guard sigemptyset(&ends) == 0, sigaddset(&ends, SIGTERM) == 0,
    sigaction(SIGTERM, &action, nil) == 0, sigprocmask(SIG_UNBLOCK, &ends, nil) == 0
else { exit(1) }

do throws(BusError) {
    try LockWatch.run()
} catch {
    Diagnostics.write("systemd-logind does not answer: \(error.name ?? "no connection")")
    exit(1)
}
