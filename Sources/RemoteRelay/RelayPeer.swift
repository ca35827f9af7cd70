import Glibc
import KeychainSockets
import ProgramStart
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
    /// The program with the other end; nil where a thread serves, and after the end.
    private let program: Mutex<StartedProgram?>

    /// - Parameters:
    ///   - stream: This side of the connection.
    ///   - process: The program that has the other one; nil where a thread serves.
    package init(_ stream: consuming UnixStream, process: consuming StartedProgram? = nil) {
        channel = RelayChannel(stream)
        program = Mutex(process)
    }

    /// The process number of the program, while there is one.
    var process: pid_t? { program.withLock { $0?.processID } }

    /// Ends the connection and the process; more than once is the same as once.
    func end() {
        channel.end()
        program.withLock { $0 = nil }
    }

    deinit { end() }
}
