import Glibc
import Synchronization

@_implementationOnly import CSocket

/// One end of a connection between two processes of this machine.
package struct UnixStream: ~Copyable, Sendable {
    package let descriptor: Descriptor
    /// Whether looking for arrivals was useful lately; one thread waits at a time.
    private let habit = Atomic(WaitingHabit())

    /// Takes over a connected socket.
    package init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

    /// Connects to the listener at a path.
    ///
    /// - Parameters:
    ///   - path: The socket's path.
    ///   - milliseconds: The longest wait while the listener's queue is full.
    /// - Throws: `SocketError`; `EAGAIN` if the listener accepts no connection in that time.
    package init(connectingTo path: String, milliseconds: Int32) throws(SocketError) {
        let number = socket_make()
        guard number >= 0 else { throw .last("socket") }
        let descriptor = Descriptor(number)
        guard socket_limit_connecting(number, milliseconds) == 0 else { throw .last("setsockopt") }
        guard socket_connect(number, path) == 0 else { throw .last("connect") }
        self.descriptor = descriptor
    }

    /// The two ends of one connection.
    package struct Pair: ~Copyable {
        package let one: UnixStream
        package let other: UnixStream

        /// - Throws: `SocketError`.
        package init() throws(SocketError) {
            var numbers: [Int32] = [-1, -1]
            guard socket_make_pair(&numbers) == 0 else { throw .last("socketpair") }
            one = UnixStream(Descriptor(numbers[0]))
            other = UnixStream(Descriptor(numbers[1]))
        }

        /// Passes the two ends to a function, which then owns each of them.
        package consuming func divide<R, E>(
            _ body: (consuming UnixStream, consuming UnixStream) throws(E) -> R
        ) throws(E) -> R {
            try body(one, other)
        }
    }

    /// Makes the kernel report the sender of all arriving bytes.
    package borrowing func tellSenders() throws(SocketError) {
        guard socket_tell_senders(descriptor.number) == 0 else { throw .last("setsockopt") }
    }

    /// Returns the identity of the process that connected, as the kernel recorded it then.
    package borrowing func peer() throws(SocketError) -> PeerIdentity {
        var peer = socket_peer()
        guard socket_peer_of(descriptor.number, &peer) == 0 else { throw .last("getsockopt") }
        return PeerIdentity(peer)
    }

    /// Opens a descriptor of the process that connected.
    ///
    /// - Throws: `SocketError`; `ENOPROTOOPT` on kernels before 6.5.
    package borrowing func peerProcess() throws(SocketError) -> Descriptor {
        let number = socket_peer_process(descriptor.number)
        guard number >= 0 else { throw .last("getsockopt") }
        return Descriptor(number)
    }

    /// Ends receiving: waiting threads wake, and the other side can no longer send.
    package borrowing func endReceiving() {
        // A connection that has already ended needs no shutdown.
        _ = shutdown(descriptor.number, Int32(SHUT_RD))
    }

    /// Ends the connection so that closing it never waits, regardless of unread data.
    ///
    /// It is for connections of untrusted programs, before the last close, when no other code uses
    /// them.
    package borrowing func letGo() { _ = socket_let_go(descriptor.number) }

    /// Closes the descriptor early; its owner lives on, and must never close it again.
    package borrowing func closeCopy() { close(descriptor.number) }

    /// Ends both directions.
    package borrowing func end() { _ = shutdown(descriptor.number, Int32(SHUT_RDWR)) }
}

// The functions that wait.
extension UnixStream {
    /// An event to wait for.
    package enum Event: Sendable { case arrival, room }

    /// The reason why waiting ended.
    package enum Wakeup: Sendable, Hashable { case ready, processEnded, timedOut }

    /// Waits until bytes arrive, or there is room to send more.
    ///
    /// If arrivals came fast lately, it looks for them for some microseconds before it sleeps.
    ///
    /// - Parameters:
    ///   - event: The event to wait for; the end of the connection is also an arrival.
    ///   - process: A pidfd whose process ends the waiting when it ends; -1 for none.
    ///   - deadline: The time limit.
    ///   - looks: Whether it may look before it sleeps. Set it only for the first byte of a
    ///     message, so that bytes sent one at a time cannot cause a look each.
    /// - Returns: The reason why waiting ended; the end of the process takes precedence.
    /// - Throws: `SocketError` of poll(2).
    package borrowing func wait(
        for event: Event,
        watching process: Int32 = -1,
        until deadline: Deadline,
        looking looks: Bool = false
    ) throws(SocketError) -> Wakeup {
        let wanted = Int16(event == .arrival ? POLLIN : POLLOUT)
        var requests = [
            pollfd(fd: descriptor.number, events: wanted, revents: 0),
            pollfd(fd: process, events: Int16(POLLIN), revents: 0),
        ]
        if looks, !deadline.isPast, let wakeup = look(for: &requests) { return wakeup }
        while true {
            let count = poll(&requests, 2, deadline.pollMilliseconds)
            if count < 0 {
                guard errno == EINTR else { throw .last("poll") }
                continue
            }
            if let wakeup = Self.wakeup(requests) { return wakeup }
            if deadline.pollMilliseconds == 0 { return .timedOut }
        }
    }

    /// Looks repeatedly without sleeping, if that was useful here lately.
    private borrowing func look(for requests: inout [pollfd]) -> Wakeup? {
        var habit = habit.load(ordering: .relaxed)
        defer { self.habit.store(habit, ordering: .relaxed) }
        guard habit.looks else {
            habit.sleep()
            return nil
        }
        let end = Deadline.after(nanoseconds: WaitingHabit.lookNanoseconds)
        var pause = end
        repeat {
            // An error here occurs again in the sleeping call, which reports it.
            if poll(&requests, 2, 0) > 0 {
                habit.look(found: true)
                return Self.wakeup(requests)
            }
            pause = .after(nanoseconds: WaitingHabit.pauseNanoseconds)
            // Other threads with work take precedence; this call cannot fail.
            sched_yield()
        } while !pause.isPast && !end.isPast
        habit.look(found: false)
        return nil
    }

    /// Returns the event that poll(2) found; the process is the second request.
    private static func wakeup(_ requests: [pollfd]) -> Wakeup? {
        if requests[1].revents != 0 { return .processEnded }
        return requests[0].revents != 0 ? .ready : nil
    }

    /// Whether the other side has closed its end, or its process has ended.
    ///
    /// - Parameter process: The pidfd of the process; -1 for none.
    /// - Returns: Whether no process at the other side waits.
    package borrowing func isEnded(watching process: Int32 = -1) -> Bool {
        var requests = [
            pollfd(fd: descriptor.number, events: Self.remoteEnd, revents: 0),
            pollfd(fd: process, events: Int16(POLLIN), revents: 0),
        ]
        return poll(&requests, 2, 0) > 0
    }

    /// Whether bytes, or the end, have arrived and were not received yet.
    package borrowing func hasArrival() -> Bool {
        var request = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, 0) > 0
    }

    /// `POLLRDHUP`, which glibc shows to GNU sources only; poll(2).
    private static let remoteEnd: Int16 = 0x2000
}

// The transfer of bytes, which never waits: a thread that waits for bytes in poll(2) sleeps on
// while the other side takes the sent ones, but one in recvmsg(2) would wake.
extension UnixStream {
    /// An additional object to receive with the bytes and the sender's identity.
    package enum Wish: Sendable {
        case nothing
        /// A descriptor of the sending process.
        case process
        /// A descriptor that the sender passes.
        case descriptor
    }

    /// Bytes that arrived together from one sender.
    package struct Chunk: ~Copyable {
        /// The number of bytes; 0 at the end of the connection.
        package let byteCount: Int
        /// The sender; nil if the kernel does not report senders.
        package let peer: PeerIdentity?
        /// The sending process, if requested and supported by the kernel.
        package var process: Descriptor?
        /// The descriptor that the sender passed, if requested.
        package var descriptor: Descriptor?
        /// Whether the sender passed descriptors that were not requested; they are closed.
        package let hadDescriptors: Bool
    }

    /// Receives bytes that have arrived; bytes of different senders never arrive together.
    ///
    /// - Parameters:
    ///   - target: The memory for the bytes; at least one byte.
    ///   - second: The memory for bytes beyond the first.
    ///   - wish: The additional object to receive.
    /// - Returns: The chunk; nil if no bytes have arrived.
    /// - Throws: `SocketError`.
    package borrowing func receive(
        into target: UnsafeMutableRawBufferPointer,
        _ second: UnsafeMutableRawBufferPointer = .init(start: nil, count: 0),
        wanting wish: Wish = .nothing
    ) throws(SocketError) -> Chunk? {
        precondition(target.count > 0, "Receiving into no memory would look like the end.")
        let raw =
            switch wish {
            case .nothing: SOCKET_WISH_NOTHING
            case .process: SOCKET_WISH_PROCESS
            case .descriptor: SOCKET_WISH_DESCRIPTOR
            }
        let chunk = socket_receive(
            descriptor.number,
            target.baseAddress,
            target.count,
            second.baseAddress,
            second.count,
            Int32(raw.rawValue)
        )
        guard chunk.byte_count >= 0 else {
            if chunk.code == EAGAIN || chunk.code == EWOULDBLOCK { return nil }
            throw SocketError(operation: "recvmsg", code: chunk.code)
        }
        return Chunk(
            byteCount: chunk.byte_count,
            peer: chunk.has_peer != 0 ? PeerIdentity(chunk.peer) : nil,
            process: chunk.process >= 0 ? Descriptor(chunk.process) : nil,
            descriptor: chunk.descriptor >= 0 ? Descriptor(chunk.descriptor) : nil,
            hadDescriptors: chunk.had_descriptors != 0
        )
    }

    /// Sends as many bytes of two consecutive pieces as there is room for.
    ///
    /// - Parameters:
    ///   - first: The first piece.
    ///   - second: The piece after it.
    ///   - handedOver: A descriptor of which the receiver gets a copy; -1 for none.
    /// - Returns: The number of bytes sent; nil if there is no room.
    /// - Throws: `SocketError`; `EPIPE` if the other side is closed.
    package borrowing func send(
        _ first: UnsafeRawBufferPointer,
        _ second: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
        handingOver handedOver: Int32 = -1
    ) throws(SocketError) -> Int? {
        let count = socket_send(
            descriptor.number,
            first.baseAddress,
            first.count,
            second.baseAddress,
            second.count,
            handedOver
        )
        guard count < 0 else { return count }
        if errno == EAGAIN || errno == EWOULDBLOCK { return nil }
        throw .last("sendmsg")
    }
}

extension PeerIdentity {
    fileprivate init(_ peer: socket_peer) {
        self.init(processID: peer.pid, userID: peer.uid, groupID: peer.gid)
    }
}
