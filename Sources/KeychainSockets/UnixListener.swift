import Glibc

@_implementationOnly import CSocket

/// A socket that others connect to, at a path.
package struct UnixListener: ~Copyable, Sendable {
    package let descriptor: Descriptor

    /// How many connections may wait until they are accepted.
    private static let backlog: Int32 = 128

    /// Takes over a listening socket, such as one that systemd made.
    ///
    /// - Throws: `SocketError`.
    package init(_ descriptor: consuming Descriptor) throws(SocketError) {
        guard socket_tell_senders(descriptor.number) == 0 else { throw .last("setsockopt") }
        try Self.forbidWaiting(descriptor.number)
        self.descriptor = descriptor
    }

    /// Listens at a path, where nothing is yet.
    ///
    /// The socket has its mode before anybody can connect.
    ///
    /// - Parameters:
    ///   - path: The path of the socket, of at most 107 bytes.
    ///   - mode: Who may connect, such as `0o600`.
    /// - Throws: `SocketError`; `EADDRINUSE` where something is at the path.
    package init(at path: String, mode: mode_t) throws(SocketError) {
        let number = socket_make()
        guard number >= 0 else { throw .last("socket") }
        let descriptor = Descriptor(number)
        guard socket_tell_senders(number) == 0 else { throw .last("setsockopt") }
        guard socket_bind(number, path) == 0 else { throw .last("bind") }
        guard chmod(path, mode) == 0 else { throw .last("chmod") }
        try Self.forbidWaiting(number)
        guard listen(number, Self.backlog) == 0 else { throw .last("listen") }
        self.descriptor = descriptor
    }

    /// A connection may end between the poll that told of it and its acceptance.
    private static func forbidWaiting(_ number: Int32) throws(SocketError) {
        let flags = fcntl(number, F_GETFL)
        guard flags >= 0, fcntl(number, F_SETFL, flags | O_NONBLOCK) == 0 else {
            throw .last("fcntl")
        }
    }

    /// Accepts a connection, if one waits.
    ///
    /// - Returns: The connection; nil if none waits, or it ended while it waited.
    /// - Throws: `SocketError`; `EMFILE` and `ENFILE` where there are too many descriptors.
    package borrowing func accept() throws(SocketError) -> UnixStream? {
        let number = socket_accept(descriptor.number)
        if number >= 0 { return UnixStream(Descriptor(number)) }
        switch errno {
        case EAGAIN, EWOULDBLOCK, ECONNABORTED, EPERM: return nil
        default: throw .last("accept")
        }
    }
}
