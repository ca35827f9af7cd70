import Glibc
import KeychainMessages
import KeychainModel
import KeychainServer
import KeychainSockets
import KeychainWire
import MessageTransport
import Secrets
import TestSupport
import Testing

@Suite(.requirement("DMN-17")) struct `A hostile client` {
    private static let impatient: ServerLimits = {
        var limits = ServerLimits()
        limits.helloMilliseconds = 50
        limits.messageMilliseconds = 50
        limits.replyMilliseconds = 50
        return limits
    }()

    @Test func `that says nothing is dropped`() throws {
        let rig = try ServerRig(limits: Self.impatient)
        #expect(try rig.raw().end() == .closed)
    }

    @Test(arguments: 1...8)
    func `that sends a part of a frame and falls silent is dropped`(byteCount: Int) throws {
        let rig = try ServerRig(limits: Self.impatient)
        let client = try rig.raw()
        _ = try client.greet()
        try client.send(bytes: Array([0, 0, 0, 40, 0, 2, 9, 9].prefix(byteCount)))
        #expect(client.end() == .closed)
        rig.service.ended.wait()
        #expect(rig.service.seen.withLock { $0.callCount } == 0)
    }

    /// Headers that no client may send: size, flags.
    private static let headers: [(String, [UInt8])] = [
        ("of 4 GiB", [0xFF, 0xFF, 0xFF, 0xFF, 0]),
        ("of 17 MiB", [0x01, 0x10, 0, 0, 0]),
        ("of no bytes", [0, 0, 0, 0, 0]),
        ("that goes on", [0, 0, 0, 20, 1]),
        ("with an unknown flag", [0, 0, 0, 20, 2]),
    ]

    @Test(arguments: headers)
    func `that sends a frame it may not is refused before the body`(
        name: String,
        header: [UInt8]
    ) throws {
        let rig = try ServerRig()
        let client = try rig.raw()
        _ = try client.greet()
        try client.send(bytes: header)
        #expect(client.end()?.says("malformed") == true, "a frame \(name)")
    }

    @Test func `is refused a long greeting`() throws {
        let rig = try ServerRig()
        let client = try rig.raw()
        try client.send(bytes: [0, 0, 0, UInt8(WireLimit.helloByteCount + 1), 0])
        #expect(client.end()?.says("size of a frame") == true)
    }

    @Test func `takes no memory by what a header claims`() async {
        // In a process of its own: memory of other tests' large requests counts, too.
        await #expect(processExitsWith: .success) {
            let rig = try ServerRig()
            let client = try rig.raw()
            _ = try client.greet()
            let before = SecretArena.shared.usage.mappedByteCount
            try client.send(bytes: [0x00, 0xFF, 0, 0, 0, 2])
            // Another connection is served meanwhile, so the bytes have been looked at.
            let other = try rig.client()
            try other.send(.request(.atOnce))
            _ = try other.receive()
            try #require(SecretArena.shared.usage.mappedByteCount - before < 1 << 20)
        }
    }

    @Test func `that reads no reply is dropped`() throws {
        let rig = try ServerRig(limits: Self.impatient)
        let client = try rig.raw()
        let token = try client.greet()
        try client.send(.request(.large), token: token)
        rig.service.ended.wait()
        #expect(rig.service.seen.withLock { $0.callCount } == 1)
    }

    @Test func `who read no large replies get no more of them, and small ones still`() throws {
        var limits = ServerLimits()
        limits.replyByteCount = 1 << 20
        let rig = try ServerRig(limits: limits)
        // The first one may be as large as it likes; nobody reads it.
        let idle = try rig.raw()
        try idle.send(.request(.large), token: try idle.greet())
        let number = idle.stream.stream.descriptor.number
        var begun = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        #expect(poll(&begun, 1, 5000) == 1)
        let client = try rig.client()
        try client.send(.request(.large))
        guard case .failure(let error, _) = try client.receive() else {
            Issue.record("no failure")
            return
        }
        #expect(error.status == .allocate)
        try client.send(.request(.atOnce))
        guard case .reply = try client.receive() else {
            Issue.record("no reply")
            return
        }
    }

    @Test func `cannot speak before its greeting`() throws {
        let rig = try ServerRig()
        let client = try rig.raw()
        try client.send(.becomeAgent)
        #expect(client.end()?.says("the first message is a greeting") == true)
    }

    @Test func `cannot speak without the token of its session`() throws {
        let rig = try ServerRig()
        let client = try rig.raw()
        _ = try client.greet()
        try client.send(.request(.atOnce))
        #expect(client.end()?.says("lacks the token") == true)
        #expect(rig.service.seen.withLock { $0.callCount } == 0)
    }

    @Test func `cannot speak with the token of another session`() throws {
        let rig = try ServerRig()
        let token = try rig.raw().greet()
        let client = try rig.raw()
        _ = try client.greet()
        try client.send(.request(.atOnce), token: token)
        #expect(client.end()?.says("lacks the token") == true)
    }

    @Test func `that hands over descriptors leaves none behind`() async {
        await #expect(processExitsWith: .success) {
            let rig = try ServerRig()
            let client = try rig.raw()
            let token = try client.greet()
            let before = OpenDescriptors.count
            var buffer = WireBuffer()
            try ClientMessage.request(.atOnce).encode(token: token, into: &buffer)
            let header = FrameHeader(bodyByteCount: buffer.byteCount).encoded
            let bytes = header + buffer.withUnsafeBytes { Array($0) }
            try bytes.withUnsafeBytes { bytes in
                _ = try client.stream.stream.send(bytes, handingOver: STDOUT_FILENO)
            }
            guard case .reply = try client.receive() else { exit(1) }
            try #require(OpenDescriptors.count == before)
        }
    }

    @Test func `that sends two messages at once is served one after the other`() throws {
        let rig = try ServerRig()
        let client = try rig.raw()
        let token = try client.greet()
        try client.send(.request(.atOnce), token: token)
        try client.send(.request(.atOnce), token: token)
        for _ in 0..<2 {
            guard case .reply = try client.receive() else {
                Issue.record("no reply")
                return
            }
        }
    }

    @Test func `is told why where evidence cannot be had`() throws {
        let rig = try ServerRig(evidence: FakeEvidence(error: .unanswered))
        let client = try rig.raw()
        try client.send(.hello(ClientHello()))
        #expect(client.end()?.says("keychain-witness does not answer") == true)
        #expect(rig.service.seen.withLock { $0.evidence.isEmpty })
    }
}

/// The descriptors of this process.
enum OpenDescriptors {
    static var count: Int {
        guard let directory = opendir("/proc/self/fd") else { return -1 }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        return count
    }
}
