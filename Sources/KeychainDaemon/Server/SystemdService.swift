import Glibc
import KeychainSockets

@_implementationOnly import CSystemd

/// systemd's interface for a service: sockets that it created, and notifications.
///
/// - Source: sd_listen_fds(3); sd_notify(3).
enum SystemdService {
    /// Returns the listening sockets from systemd; empty if it did not start this process.
    ///
    /// - Throws: `SocketError` for a descriptor that is not a listening socket.
    static func listeningSockets() throws(SocketError) -> [Int32] {
        let count = sd_listen_fds(1)
        guard count >= 0 else { throw SocketError(operation: "sd_listen_fds", code: -count) }
        let first = Int32(3)
        var numbers: [Int32] = []
        for number in first..<(first + count) {
            guard sd_is_socket(number, AF_UNIX, Int32(SOCK_STREAM.rawValue), 1) > 0 else {
                continue
            }
            numbers.append(number)
        }
        return numbers
    }

    /// Notifies systemd, if it started this process; otherwise does nothing.
    static func notify(_ state: String) { _ = sd_notify(0, state) }

    /// Whether standard error is the journal, which reads levels before lines.
    static var writesToJournal: Bool {
        guard let stream = getenv("JOURNAL_STREAM").map({ String(cString: $0) }) else {
            return false
        }
        var status = stat()
        guard fstat(STDERR_FILENO, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }
}
