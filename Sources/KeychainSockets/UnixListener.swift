import Glibc

@_implementationOnly import CSocket

/// A socket at a path, which accepts connections.
package struct UnixListener: ~Copyable, Sendable {
    package let descriptor: Descriptor

    /// The largest number of connections that wait to be accepted.
    private static let backlog: Int32 = 128

    /// Takes over a listening socket, such as one from systemd.
    ///
    /// - Throws: `SocketError`.
    package init(_ descriptor: consuming Descriptor) throws(SocketError) {
        guard socket_tell_senders(descriptor.number) == 0 else { throw .last("setsockopt") }
        try Self.forbidWaiting(descriptor.number)
        self.descriptor = descriptor
    }

    /// Listens at a path that does not exist yet.
    ///
    /// The socket has its mode before any process can connect.
    ///
    /// - Parameters:
    ///   - path: The path of the socket, of at most 107 bytes.
    ///   - mode: The permissions for connecting, such as `0o600`.
    /// - Throws: `SocketError`; `EADDRINUSE` if the path exists.
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

    /// Makes accepting nonblocking, because a connection may end between its poll and its
    /// acceptance.
    private static func forbidWaiting(_ number: Int32) throws(SocketError) {
        let flags = fcntl(number, F_GETFL)
        guard flags >= 0, fcntl(number, F_SETFL, flags | O_NONBLOCK) == 0 else {
            throw .last("fcntl")
        }
    }

    /// Accepts a connection, if one waits.
    ///
    /// - Returns: The connection; nil if none waits, or it ended while it waited.
    /// - Throws: `SocketError`; `EMFILE` and `ENFILE` if there are too many descriptors.
    package borrowing func accept() throws(SocketError) -> UnixStream? {
        let number = socket_accept(descriptor.number)
        if number >= 0 { return UnixStream(Descriptor(number)) }
        switch errno {
        case EAGAIN, EWOULDBLOCK, ECONNABORTED, EPERM: return nil
        default: throw .last("accept")
        }
    }
}
