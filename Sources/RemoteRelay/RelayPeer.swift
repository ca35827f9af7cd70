import Glibc
import KeychainSockets
import SyncRelay
import Synchronization

/// Begins connections with processes that serve a relay.
package protocol RelayLauncher: Sendable {
    /// A connection with a new process.
    ///
    /// - Throws: `refused` if the program cannot be started, `unreachable` where there is no room.
    func launch() throws(RelayError) -> RelayPeer
}

/// A connection with a process that serves a relay.
package final class RelayPeer: Sendable {
    let channel: RelayChannel
    /// A child of this process; nil where a thread serves.
    let process: pid_t?
    private let isEnded = Atomic(false)

    /// - Parameters:
    ///   - stream: This side of the connection.
    ///   - process: The child that has the other one; nil where a thread serves.
    package init(_ stream: consuming UnixStream, process: pid_t? = nil) {
        channel = RelayChannel(stream)
        self.process = process
    }

    /// Ends the connection and the process; more than once is the same as once.
    func end() {
        guard !isEnded.exchange(true, ordering: .relaxed) else { return }
        channel.end()
        guard let process else { return }
        // The number is the child's until somebody has waited for it.
        kill(process, SIGKILL)
        while waitpid(process, nil, 0) < 0, errno == EINTR {}
    }

    deinit { end() }
}
