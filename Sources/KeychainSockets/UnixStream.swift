import Glibc
import Synchronization

@_implementationOnly import CSocket

/// One end of a connection between two processes of this machine.
package struct UnixStream: ~Copyable, Sendable {
    package let descriptor: Descriptor
    /// Whether looking for arrivals has paid here; one thread waits at a time.
    private let habit = Atomic(WaitingHabit())

    /// Takes over a connected socket.
    package init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

    /// Connects to whoever listens at a path.
    ///
    /// - Parameters:
    ///   - path: The socket's path.
    ///   - milliseconds: How long to wait while the listener has too many others waiting.
    /// - Throws: `SocketError`; `EAGAIN` for a listener that accepts nobody in that time.
    package init(connectingTo path: String, milliseconds: Int32) throws(SocketError) {
        let number = socket_make()
        guard number >= 0 else { throw .last("socket") }
        let descriptor = Descriptor(number)
        guard socket_limit_connecting(number, milliseconds) == 0 else { throw .last("setsockopt") }
        guard socket_connect(number, path) == 0 else { throw .last("connect") }
        self.descriptor = descriptor
    }

    /// Two ends of one connection.
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

        /// Gives the two ends to whoever wants to own one of them.
        package consuming func divide<R, E>(
            _ body: (consuming UnixStream, consuming UnixStream) throws(E) -> R
        ) throws(E) -> R {
            try body(one, other)
        }
    }

    /// Has the kernel tell with everything that arrives who sent it.
    package borrowing func tellSenders() throws(SocketError) {
        guard socket_tell_senders(descriptor.number) == 0 else { throw .last("setsockopt") }
    }

    /// Who connected, as the kernel noted then.
    package borrowing func peer() throws(SocketError) -> PeerIdentity {
        var peer = socket_peer()
        guard socket_peer_of(descriptor.number, &peer) == 0 else { throw .last("getsockopt") }
        return PeerIdentity(peer)
    }

    /// A descriptor of the process that connected.
    ///
    /// - Throws: `SocketError`; `ENOPROTOOPT` on kernels before 6.5.
    package borrowing func peerProcess() throws(SocketError) -> Descriptor {
        let number = socket_peer_process(descriptor.number)
        guard number >= 0 else { throw .last("getsockopt") }
        return Descriptor(number)
    }

    /// Ends what arrives: whoever waits for it wakes, and the other side cannot send any more.
    package borrowing func endReceiving() {
        // A connection that is gone already needs no end.
        _ = shutdown(descriptor.number, Int32(SHUT_RD))
    }

    /// Ends the connection so that closing it waits for nobody, whatever the other side sent.
    ///
    /// For connections of strangers, in front of the last close. Nobody else uses it any more.
    package borrowing func letGo() { _ = socket_let_go(descriptor.number) }

    /// Closes the descriptor although its owner lives on, who must never close it again.
    package borrowing func closeCopy() { close(descriptor.number) }

    /// Ends both directions.
    package borrowing func end() { _ = shutdown(descriptor.number, Int32(SHUT_RDWR)) }
}

// Waiting.
extension UnixStream {
    /// What can be waited for.
    package enum Event: Sendable { case arrival, room }

    /// Why waiting ended.
    package enum Wakeup: Sendable, Hashable { case ready, processEnded, timedOut }

    /// Waits until bytes arrive, or there is room for more to be sent.
    ///
    /// Where arrivals came fast lately it looks for them for some microseconds before it sleeps.
    ///
    /// - Parameters:
    ///   - event: What to wait for; the end of the connection is an arrival, too.
    ///   - process: A pidfd, whose process ends the waiting when it ends; -1 for none.
    ///   - deadline: When to give up.
    ///   - looks: Whether it may look before it sleeps. A thread that looks for the first byte of a
    ///     message only cannot be made to look again by bytes that come one by one.
    /// - Returns: Why waiting ended; the end of the process comes before everything else.
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

    /// Looks again and again without sleeping, if that has paid here lately.
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
            // What goes wrong here goes wrong again in the call that sleeps, which tells.
            if poll(&requests, 2, 0) > 0 {
                habit.look(found: true)
                return Self.wakeup(requests)
            }
            pause = .after(nanoseconds: WaitingHabit.pauseNanoseconds)
            // Whoever has work goes first; this call cannot fail.
            sched_yield()
        } while !pause.isPast && !end.isPast
        habit.look(found: false)
        return nil
    }

    /// What poll(2) found; the process comes second.
    private static func wakeup(_ requests: [pollfd]) -> Wakeup? {
        if requests[1].revents != 0 { return .processEnded }
        return requests[0].revents != 0 ? .ready : nil
    }

    /// Whether the other side has closed its end, or its process has ended.
    ///
    /// - Parameter process: The pidfd of the process; -1 for none.
    /// - Returns: Whether nobody at the other side waits any more.
    package borrowing func isEnded(watching process: Int32 = -1) -> Bool {
        var requests = [
            pollfd(fd: descriptor.number, events: Self.remoteEnd, revents: 0),
            pollfd(fd: process, events: Int16(POLLIN), revents: 0),
        ]
        return poll(&requests, 2, 0) > 0
    }

    /// Whether something has arrived that was not received yet; the end counts.
    package borrowing func hasArrival() -> Bool {
        var request = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, 0) > 0
    }

    /// `POLLRDHUP`, which glibc shows to GNU sources only; poll(2).
    private static let remoteEnd: Int16 = 0x2000
}

// Moving bytes. Nothing waits: whoever waits in poll(2) for bytes sleeps on while the other side
// takes what was sent, and who waits in recvmsg(2) is woken by that.
extension UnixStream {
    /// What is wanted beside bytes and the sender's identity.
    package enum Wish: Sendable {
        case nothing
        /// A descriptor of the sending process.
        case process
        /// A descriptor that the sender hands over.
        case descriptor
    }

    /// Bytes that arrived together from one sender.
    package struct Chunk: ~Copyable {
        /// How many; 0 at the end of the connection.
        package let byteCount: Int
        /// Who sent them; nil where the kernel was not asked to tell.
        package let peer: PeerIdentity?
        /// The process that sent them, if it was wanted and the kernel can tell.
        package var process: Descriptor?
        /// What the sender handed over, if it was wanted.
        package var descriptor: Descriptor?
        /// Whether the sender handed over descriptors that nobody wanted; they are closed.
        package let hadDescriptors: Bool
    }

    /// Receives what has arrived; bytes of different senders never come together.
    ///
    /// - Parameters:
    ///   - target: Where to; at least one byte.
    ///   - second: Where what does not fit there goes.
    ///   - wish: What else is wanted.
    /// - Returns: The chunk; nil if nothing has arrived.
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

    /// Sends as much of two pieces, one behind the other, as there is room for.
    ///
    /// - Parameters:
    ///   - first: The first piece.
    ///   - second: What follows it.
    ///   - handedOver: A descriptor that the receiver gets a copy of; -1 for none.
    /// - Returns: How many bytes went; nil if there is no room.
    /// - Throws: `SocketError`; `EPIPE` if the other side is gone.
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
