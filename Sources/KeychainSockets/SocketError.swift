import Glibc

/// The failure of a system call about sockets.
package struct SocketError: Error, Sendable, Hashable {
    /// The system call, such as `connect`.
    package let operation: String
    /// Its error number.
    package let code: Int32

    package init(operation: String, code: Int32) {
        self.operation = operation
        self.code = code
    }

    /// Returns the failure of the last system call from `errno`, which later calls overwrite.
    static func last(_ operation: String) -> SocketError {
        SocketError(operation: operation, code: errno)
    }

    /// The operation and the system's words for the number, such as `connect: Connection refused`.
    package var words: String { "\(operation): \(String(cString: strerror(code)))" }

    /// Whether the other side has closed the connection.
    package var isEnd: Bool { code == EPIPE || code == ECONNRESET }
}
