import Glibc
import KeychainSockets

@_implementationOnly import CWitness

/// A connected socket between daemon and witness that preserves message boundaries.
package struct WitnessSocket: ~Copyable, Sendable {
    private let descriptor: Descriptor

    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

    /// Sends a message, with a descriptor if there is one.
    ///
    /// - Returns: Whether all of it was sent.
    package func send(_ bytes: [UInt8], with file: borrowing Descriptor? = nil) -> Bool {
        let number: Int32
        switch file {
        case .some(let file): number = file.number
        case .none: number = -1
        }
        return send(bytes, descriptor: number)
    }

    /// Sends a message with a descriptor that the caller keeps; -1 for none.
    package func send(_ bytes: [UInt8], descriptor number: Int32) -> Bool {
        witness_send(descriptor.number, bytes, bytes.count, number) == bytes.count
    }

    /// A received message.
    package struct Message: ~Copyable {
        package let bytes: [UInt8]
        package let file: Descriptor?

        package consuming func takeFile() -> Descriptor? { file }
    }

    /// Waits for a message.
    ///
    /// - Returns: The message; nil at the end of the connection, if it is too long, and after the
    ///   time limit.
    package func receive(limit: Int) -> Message? {
        var bytes = [UInt8](repeating: 0, count: limit)
        var number: Int32 = -1
        let count = witness_receive(descriptor.number, &bytes, bytes.count, &number)
        let file = Descriptor(opened: number)
        guard count > 0 else { return nil }
        return Message(bytes: [UInt8](bytes[..<count]), file: file)
    }

    /// Whether the other end has closed the connection.
    package var isClosed: Bool {
        var state = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
        let ends = Int16(POLLHUP | POLLERR)
        return poll(&state, 1, 0) > 0 && state.revents & ends != 0
    }

    /// The account at the other end when it connected; nil if the kernel does not report it.
    package var peerUserID: UInt32? {
        var user: uid_t = 0
        var process: pid_t = 0
        return witness_peer(descriptor.number, &user, &process) == 0 ? user : nil
    }

    /// Limits the time that any call may wait.
    func limitWaiting(seconds: UInt32) -> Bool {
        witness_limit_waiting(descriptor.number, seconds) == 0
    }
}

/// The address of a witness's socket.
package struct WitnessAddress: Sendable, Equatable {
    private let bytes: [CChar]

    private init(_ name: witness_name) {
        bytes = withUnsafeBytes(of: name.bytes) { all in
            all.prefix(Int(name.count)).map(CChar.init(bitPattern:))
        }
    }

    /// Makes an address from a path; nil if the path is too long for a socket.
    package init?(path: String) {
        var name = witness_name()
        guard witness_name_path(path, &name) == 0 else { return nil }
        self.init(name)
    }

    private var name: witness_name {
        var name = witness_name()
        withUnsafeMutableBytes(of: &name.bytes) { all in
            for (index, byte) in zip(all.indices, bytes) { all[index] = UInt8(bitPattern: byte) }
        }
        name.count = UInt32(Swift.min(bytes.count, MemoryLayout.size(ofValue: name.bytes)))
        return name
    }

    /// Connects, and limits the time that any call on the socket may wait.
    ///
    /// - Throws: `WitnessSocketError` with the number of the error.
    func connect(seconds: UInt32) throws(WitnessSocketError) -> WitnessSocket {
        guard let file = Descriptor(opened: Self.socket()) else {
            throw WitnessSocketError(code: errno)
        }
        var name = name
        guard witness_limit_waiting(file.number, seconds) == 0,
            witness_connect(file.number, &name) == 0
        else { throw WitnessSocketError(code: errno) }
        return WitnessSocket(file)
    }

    /// Listens on the address.
    package func listen() throws(WitnessSocketError) -> WitnessListener {
        var name = name
        return try Self.listen(&name).listener
    }

    /// Listens on an address that the kernel chooses.
    package static func listenAnywhere() throws(WitnessSocketError) -> (
        listener: WitnessListener, address: WitnessAddress
    ) {
        var name = witness_name()
        return try listen(&name)
    }

    private static func listen(
        _ name: inout witness_name
    ) throws(WitnessSocketError) -> (listener: WitnessListener, address: WitnessAddress) {
        guard let file = Descriptor(opened: socket()), witness_bind(file.number, &name) == 0,
            Glibc.listen(file.number, 128) == 0
        else { throw WitnessSocketError(code: errno) }
        return (WitnessListener(file), WitnessAddress(name))
    }

    private static func socket() -> Int32 {
        let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        return Glibc.socket(AF_UNIX, kind, 0)
    }
}

/// An error of a socket call.
package struct WitnessSocketError: Error, Sendable, Hashable {
    package let code: Int32
}

/// A socket that accepts questions to a witness.
package final class WitnessListener: Sendable {
    private let descriptor: Descriptor

    package init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

    package var number: Int32 { descriptor.number }

    /// Waits for the next connection of a daemon.
    ///
    /// - Parameter seconds: The time limit for any call on the new socket.
    /// - Returns: The socket; nil if the daemon has gone, or if descriptors are exhausted.
    package func accept(seconds: UInt32) -> WitnessSocket? {
        guard let file = Descriptor(opened: witness_accept(descriptor.number)) else { return nil }
        let socket = WitnessSocket(file)
        guard socket.limitWaiting(seconds: seconds) else { return nil }
        return socket
    }
}
