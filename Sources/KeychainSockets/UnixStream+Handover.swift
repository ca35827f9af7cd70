import Glibc

extension UnixStream {
    /// Returns the address of the other end; empty for none.
    ///
    /// An abstract address starts with a zero byte.
    ///
    /// - Throws: `SocketError`; `ENOTSOCK` if the descriptor is not a socket, `ENOTCONN` if it is a
    ///   listening one.
    /// - Source: unix(7), "Address format".
    package borrowing func peerName() throws(SocketError) -> [UInt8] {
        var address = sockaddr_un()
        var size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                getpeername(descriptor.number, pointer, &size)
            }
        }
        guard code == 0 else { throw .last("getpeername") }
        guard address.sun_family == sa_family_t(AF_UNIX) else {
            throw SocketError(operation: "getpeername", code: EAFNOSUPPORT)
        }
        let byteCount = Int(size) - MemoryLayout<sa_family_t>.size
        return withUnsafeBytes(of: address.sun_path) { Array($0.prefix(max(0, byteCount))) }
    }

    /// Sends all bytes, and waits for room if necessary.
    ///
    /// - Throws: `SocketError`; `EPIPE` if the other side is closed, `ETIMEDOUT` if it does not
    ///   read.
    package borrowing func sendAll(
        _ bytes: UnsafeRawBufferPointer,
        until deadline: Deadline
    ) throws(SocketError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            if let count = try send(UnsafeRawBufferPointer(rebasing: rest)) {
                rest = rest.dropFirst(count)
            } else if try wait(for: .room, until: deadline) == .timedOut {
                throw SocketError(operation: "sendmsg", code: ETIMEDOUT)
            }
        }
    }
}
