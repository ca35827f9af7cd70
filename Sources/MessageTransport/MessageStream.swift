import KeychainSockets
import KeychainWire

/// Messages over a socket: frames in, frames out.
///
/// It takes as much memory as bytes have arrived, whatever a header claims.
/// - Source: Documentation/Spec/wire.md §2.
package struct MessageStream: ~Copyable, Sendable {
    package let stream: UnixStream
    /// Who sends what is received here.
    private let sender: WireSide

    /// Takes over a connection to the given side.
    package init(_ stream: consuming UnixStream, to sender: WireSide) {
        self.stream = stream
        self.sender = sender
    }

    /// How a message is to be received.
    package struct Terms: Sendable {
        /// The largest body of a frame in bytes.
        package var frameByteCountLimit: Int
        /// Until when the message may begin.
        package var begin = Deadline.never
        /// Whether nothing is wrong with a message that has not begun by then: `idle` is thrown.
        package var mayBeIdle = false
        /// How long the sender may take from its first byte to its last.
        package var milliseconds: UInt32
        /// A pidfd whose process ends the waiting with its own end; -1 for none.
        package var process: Int32 = -1
        /// Who is known; of anybody else a descriptor of the process is wanted.
        package var known: PeerIdentity?
        /// Whether a descriptor of the process is wanted of a stranger at all.
        package var wantsProcess = false
        /// Whether a header is received together with what follows it.
        package var readsAhead = false

        package init(frameByteCountLimit: Int, milliseconds: UInt32) {
            self.frameByteCountLimit = frameByteCountLimit
            self.milliseconds = milliseconds
        }
    }

    /// Who sent a message.
    package struct Origin: ~Copyable {
        /// The process; nil where the kernel was not asked to tell.
        package let peer: PeerIdentity?
        /// A descriptor of the process, if it was wanted and the kernel can tell.
        package var process: Descriptor?
    }

    /// Waits for the next message.
    ///
    /// - Parameters:
    ///   - buffer: Takes the message; what was in it is wiped.
    ///   - ahead: What arrived behind the message before, and takes what arrives behind this one.
    ///   - terms: How long and how much.
    ///   - admit: Called with the size of a body before more than `ReadAhead.byteCountLimit` of it
    ///     is received; throws to refuse it.
    /// - Returns: Who sent it: every byte came from that process.
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

    /// Waits for the next message, and leaves what arrives behind it to the kernel.
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
    ///   - side: Who sends it.
    ///   - patience: How many milliseconds the other side may take before there is room for more.
    /// - Throws: `TransportError`; then the other side has not got the whole message.
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

// The parts of a message that arrives.
extension MessageStream {
    /// What is known of a message while it arrives.
    private struct Reception: ~Copyable {
        let terms: Terms
        private var deadline: Deadline?
        private(set) var hasBegun = false
        private(set) var peer: PeerIdentity?
        var process: Descriptor?
        private var hasAskedForProcess = false

        init(_ terms: Terms) { self.terms = terms }

        /// What the next chunk is to bring along.
        ///
        /// Not with a header: a frame's body follows it, and who sends both is compared.
        var wish: UnixStream.Wish {
            guard terms.wantsProcess, hasBegun, !hasAskedForProcess, peer != terms.known else {
                return .nothing
            }
            return .process
        }

        /// Notes bytes of a sender.
        mutating func begin(_ sender: PeerIdentity?) throws(TransportError) {
            if hasBegun {
                guard sender == peer else { throw .mixedSenders }
            } else {
                hasBegun = true
                peer = sender
            }
        }

        /// When to give up; the clock of a message that has begun starts when it has to wait.
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

    /// Receives a header, and with it what has arrived of the body.
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

    /// Receives what has arrived, a header first.
    ///
    /// - Returns: How many bytes of the header.
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
