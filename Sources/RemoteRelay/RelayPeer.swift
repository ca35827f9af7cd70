import Glibc
import KeychainSockets
import ProgramStart
import SyncRelay
import Synchronization

/// A source of connections to processes that serve a relay.
package protocol RelayLauncher: Sendable {
    /// Starts a process, and returns a connection to it.
    ///
    /// - Throws: `refused` if the program cannot start, `unreachable` if the system has no
    ///   resources for it.
    func launch() throws(RelayError) -> RelayPeer
}

/// A connection with a process that serves a relay.
package final class RelayPeer: Sendable {
    let channel: RelayChannel
    /// The program at the other end; nil if a thread serves, and after the end.
    private let program: Mutex<StartedProgram?>

    /// Takes over a connection.
    ///
    /// - Parameters:
    ///   - stream: This side of the connection.
    ///   - process: The program at the other end; nil if a thread serves.
    package init(_ stream: consuming UnixStream, process: consuming StartedProgram? = nil) {
        channel = RelayChannel(stream)
        program = Mutex(process)
    }

    /// The process identifier of the program; nil if there is none.
    var process: pid_t? { program.withLock { $0?.processID } }

    /// Ends the connection and the process; further calls have no effect.
    func end() {
        channel.end()
        program.withLock { $0 = nil }
    }

    deinit { end() }
}
