import Glibc

/// What a system call about sockets failed with.
package struct SocketError: Error, Sendable, Hashable {
    /// The system call, such as `connect`.
    package let operation: String
    /// Its error number.
    package let code: Int32

    package init(operation: String, code: Int32) {
        self.operation = operation
        self.code = code
    }

    /// What the last system call left in `errno`; read at once.
    static func last(_ operation: String) -> SocketError {
        SocketError(operation: operation, code: errno)
    }

    /// The operation and the system's words for the number, such as `connect: Connection refused`.
    package var words: String { "\(operation): \(String(cString: strerror(code)))" }

    /// Whether the other side is gone.
    package var isEnd: Bool { code == EPIPE || code == ECONNRESET }
}
