import KeychainSockets
import KeychainWire

/// A stream of messages over a socket, in frames.
///
/// Its memory grows with the bytes that have arrived, not with the size that a header claims.
/// - Source: Documentation/Spec/wire.md §2.
package struct MessageStream: ~Copyable, Sendable {
    package let stream: UnixStream
    /// The side whose messages are received here.
    private let sender: WireSide

    /// Takes over a connection to the given side.
    package init(_ stream: consuming UnixStream, to sender: WireSide) {
        self.stream = stream
        self.sender = sender
    }

    /// The conditions of receiving a message.
    package struct Terms: Sendable {
        /// The largest body of a frame, in bytes.
        package var frameByteCountLimit: Int
        /// The deadline for the start of a message.
        package var begin = Deadline.never
        /// Whether a missing message is no error: `idle` is thrown at the deadline.
        package var mayBeIdle = false
        /// The time limit from the first byte of a message to its last, in milliseconds.
        package var milliseconds: UInt32
        /// The pidfd of a process whose end also ends the wait; -1 for none.
        package var process: Int32 = -1
        /// The known sender.
        ///
        /// For any other sender, a descriptor of the process is wanted.
        package var known: PeerIdentity?
        /// Whether a descriptor of an unknown sender's process is wanted at all.
        package var wantsProcess = false
        /// Whether to receive a header together with the bytes after it.
        package var readsAhead = false

        package init(frameByteCountLimit: Int, milliseconds: UInt32) {
            self.frameByteCountLimit = frameByteCountLimit
            self.milliseconds = milliseconds
        }
    }

    /// The origin of a message.
    package struct Origin: ~Copyable {
        /// The process; nil if the kernel was not asked to report it.
        package let peer: PeerIdentity?
        /// A descriptor of the process, if it was wanted and the kernel can provide it.
        package var process: Descriptor?
    }

    /// Waits for the next message.
    ///
    /// - Parameters:
    ///   - buffer: The buffer for the message; its earlier content is wiped.
    ///   - ahead: The bytes that arrived after the message before; receives those after this one.
    ///   - terms: The time and size limits.
    ///   - admit: Called with the size of a body before more than `ReadAhead.byteCountLimit` of it
    ///     is received; throws to refuse it.
    /// - Returns: The sender; every byte came from that process.
    /// - Throws: `TransportError`; `ended` only between two messages.
    package borrowing func receive(
        into buffer: inout WireBuffer,
        _ ahead: inout ReadAhead,
        _ terms: Terms,
        admitting admit: (Int) throws(TransportError) -> Void = { _ in }
    ) throws(TransportError) -> Origin {
        buffer.reset()
        var reception = Reception(terms)
        var assembly = MessageAssembly(from: sender)
        repeat {
            let start = buffer.byteCount
            let header = try receiveHeader(&reception, &buffer, &ahead)
            try fromWire { () throws(WireError) in try assembly.announce(header) }
            guard header.bodyByteCount <= terms.frameByteCountLimit else {
                throw .malformed(.limitExceeded("size of a frame"))
            }
            try admit(header.bodyByteCount)
            let end = start + header.bodyByteCount
            if buffer.byteCount > end { ahead.take(from: &buffer, behind: end, reception.peer) }
            while buffer.byteCount < end {
                let missing = end - buffer.byteCount
                try receiveBody(of: missing, into: &buffer, &reception, &ahead)
            }
        } while !assembly.isComplete
        return Origin(peer: reception.peer, process: reception.process.take())
    }

    /// Waits for the next message, and leaves later bytes in the kernel.
    package borrowing func receive(
        into buffer: inout WireBuffer,
        _ terms: Terms,
        admitting admit: (Int) throws(TransportError) -> Void = { _ in }
    ) throws(TransportError) -> Origin {
        var nothing = ReadAhead()
        var terms = terms
        terms.readsAhead = false
        return try receive(into: &buffer, &nothing, terms, admitting: admit)
    }

    /// Sends a message.
    ///
    /// - Parameters:
    ///   - buffer: The message.
    ///   - side: The side that sends it.
    ///   - patience: The time limit for the other side to make room, in milliseconds.
    /// - Throws: `TransportError`; the other side has not received the whole message.
    package borrowing func send(
        _ buffer: borrowing WireBuffer,
        from side: WireSide,
        patience: UInt32
    ) throws(TransportError) {
        try buffer.withUnsafeBytes { bytes throws(TransportError) in
            for frame in MessageFrames(byteCount: bytes.count, from: side) {
                let body = UnsafeRawBufferPointer(rebasing: bytes[frame.range])
                let header = frame.header.encoded
                let bytes = HeaderBytes { header[$0] }
                try Swift.withUnsafeBytes(of: bytes) { bytes throws(TransportError) in
                    try send(bytes, body, patience: patience)
                }
            }
        }
    }

    private borrowing func send(
        _ header: UnsafeRawBufferPointer,
        _ body: UnsafeRawBufferPointer,
        patience: UInt32
    ) throws(TransportError) {
        var sent = 0
        while sent < header.count + body.count {
            let first = UnsafeRawBufferPointer(rebasing: header[min(sent, header.count)...])
            let second = UnsafeRawBufferPointer(rebasing: body[max(0, sent - header.count)...])
            let count = try fromSocket { () throws(SocketError) in try stream.send(first, second) }
            if let count {
                sent += count
                continue
            }
            let wakeup = try fromSocket { () throws(SocketError) in
                try stream.wait(for: .room, until: .after(milliseconds: patience))
            }
            guard wakeup == .ready else { throw .timedOut }
        }
    }
}

/// A frame's header; `FrameHeader.byteCount` bytes.
private typealias HeaderBytes = [5 of UInt8]

// The parts of a message that is being received.
extension MessageStream {
    /// The state of a message while it is being received.
    private struct Reception: ~Copyable {
        let terms: Terms
        private var deadline: Deadline?
        private(set) var hasBegun = false
        private(set) var peer: PeerIdentity?
        var process: Descriptor?
        private var hasAskedForProcess = false

        init(_ terms: Terms) { self.terms = terms }

        /// The wanted extra data for the next chunk.
        ///
        /// It is nothing for a header: the body follows, and both senders are compared.
        var wish: UnixStream.Wish {
            guard terms.wantsProcess, hasBegun, !hasAskedForProcess, peer != terms.known else {
                return .nothing
            }
            return .process
        }

        /// Records the sender of some bytes.
        mutating func begin(_ sender: PeerIdentity?) throws(TransportError) {
            if hasBegun {
                guard sender == peer else { throw .mixedSenders }
            } else {
                hasBegun = true
                peer = sender
            }
        }

        /// Returns the next deadline.
        ///
        /// The time limit of a message starts at its first wait.
        mutating func nextDeadline() -> Deadline {
            if hasBegun, deadline == nil { deadline = .after(milliseconds: terms.milliseconds) }
            return deadline ?? terms.begin
        }

        mutating func take(
            _ chunk: consuming UnixStream.Chunk,
            _ wish: UnixStream.Wish
        ) throws(TransportError) -> Int {
            guard chunk.byteCount > 0 else { throw hasBegun ? .cutOff : .ended }
            try begin(chunk.peer)
            if wish == .process {
                hasAskedForProcess = true
                process = chunk.process.take()
            }
            return chunk.byteCount
        }
    }

    /// Receives a header, with the bytes of the body that have arrived.
    private borrowing func receiveHeader(
        _ reception: inout Reception,
        _ buffer: inout WireBuffer,
        _ ahead: inout ReadAhead
    ) throws(TransportError) -> FrameHeader {
        var bytes: HeaderBytes = .init(repeating: 0)
        return try withUnsafeMutableBytes(of: &bytes) { bytes throws(TransportError) in
            var count = 0
            if reception.terms.readsAhead, ahead.isEmpty {
                if !reception.hasBegun { try wait(&reception) }
                count = try receiveFrame(bytes, &buffer, &reception)
            }
            while count < bytes.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[count...])
                if !reception.hasBegun, ahead.isEmpty { try wait(&reception) }
                count += try receiveSome(into: rest, &reception, &ahead)
            }
            return try fromWire { () throws(WireError) in
                try FrameHeader(decoding: UnsafeRawBufferPointer(bytes))
            }
        }
    }

    /// Receives the bytes that have arrived, which begin with a header.
    ///
    /// - Returns: The number of bytes of the header.
    private borrowing func receiveFrame(
        _ header: UnsafeMutableRawBufferPointer,
        _ buffer: inout WireBuffer,
        _ reception: inout Reception
    ) throws(TransportError) -> Int {
        var headerByteCount = 0
        _ = try buffer.append(atMost: ReadAhead.byteCountLimit) { body throws(TransportError) in
            while true {
                let chunk = try fromSocket { () throws(SocketError) in
                    try stream.receive(into: header, body)
                }
                guard let chunk else {
                    try wait(&reception)
                    continue
                }
                let count = try reception.take(chunk, .nothing)
                headerByteCount = min(count, header.count)
                return count - headerByteCount
            }
        }
        return headerByteCount
    }

    private borrowing func receiveBody(
        of byteCount: Int,
        into buffer: inout WireBuffer,
        _ reception: inout Reception,
        _ ahead: inout ReadAhead
    ) throws(TransportError) {
        _ = try buffer.append(atMost: byteCount) { target throws(TransportError) in
            try receiveSome(into: target, &reception, &ahead)
        }
    }

    /// Receives at least one byte.
    private borrowing func receiveSome(
        into target: UnsafeMutableRawBufferPointer,
        _ reception: inout Reception,
        _ ahead: inout ReadAhead
    ) throws(TransportError) -> Int {
        if !ahead.isEmpty {
            try reception.begin(ahead.peer)
            return ahead.give(to: target)
        }
        while true {
            let wish = reception.wish
            let chunk = try fromSocket { () throws(SocketError) in
                try stream.receive(into: target, wanting: wish)
            }
            if let chunk { return try reception.take(chunk, wish) }
            try wait(&reception)
        }
    }

    private borrowing func wait(_ reception: inout Reception) throws(TransportError) {
        let (process, deadline) = (reception.terms.process, reception.nextDeadline())
        let looks = !reception.hasBegun
        let wakeup = try fromSocket { () throws(SocketError) in
            try stream.wait(
                for: .arrival,
                watching: process,
                until: deadline,
                looking: looks
            )
        }
        switch wakeup {
        case .ready: return
        case .processEnded: throw .processEnded
        case .timedOut: throw looks && reception.terms.mayBeIdle ? .idle : .timedOut
        }
    }
}
