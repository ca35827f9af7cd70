import Glibc
import KeychainSockets
import TestSupport
import Testing

/// What was received, as values that can be compared.
private struct Received {
    var bytes: [UInt8] = []
    var peer: PeerIdentity?
    var process: Int32?
    var hasDescriptor = false
    var hadDescriptors = false

    init(_ stream: borrowing UnixStream, wanting wish: UnixStream.Wish = .nothing) throws {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 100, alignment: 1)
        defer { memory.deallocate() }
        guard var chunk = try stream.receive(into: memory, wanting: wish) else { return }
        bytes = Array(memory[..<chunk.byteCount])
        peer = chunk.peer
        hadDescriptors = chunk.hadDescriptors
        if let descriptor = chunk.process.take() {
            process = ProcessFacts.processID(of: descriptor.number)
        }
        if let descriptor = chunk.descriptor.take() { hasDescriptor = descriptor.number >= 0 }
    }
}

private enum ProcessFacts {
    /// The process that a pidfd means.
    static func processID(of descriptor: Int32) -> Int32? {
        guard let file = fopen("/proc/self/fdinfo/\(descriptor)", "re") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 100)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
            let parts = text.split(whereSeparator: \.isWhitespace)
            if parts.first == "Pid:", parts.count == 2 { return Int32(parts[1]) }
        }
        return nil
    }

    /// How many descriptors of this process mean the same file.
    static func descriptorCount(of descriptor: Int32) -> Int {
        var wanted = stat()
        guard fstat(descriptor, &wanted) == 0 else { return 0 }
        return (0..<Int32(getdtablesize())).count { number in
            var facts = stat()
            return fstat(number, &facts) == 0 && facts.st_ino == wanted.st_ino
                && facts.st_dev == wanted.st_dev
        }
    }

    static var openDescriptorCount: Int {
        guard let directory = opendir("/proc/self/fd") else { return -1 }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        return count
    }
}

extension UnixStream {
    fileprivate borrowing func send(
        text: String,
        handingOver descriptor: Int32 = -1
    ) throws {
        try Array(text.utf8).withUnsafeBytes { bytes in
            _ = try send(bytes, handingOver: descriptor)
        }
    }
}

extension ProcessFacts {
    /// How many more descriptors there are after so many messages.
    fileprivate static func descriptorsLeft(byReceiving count: Int) throws -> Int {
        let pair = try UnixStream.Pair()
        try pair.other.tellSenders()
        let before = ProcessFacts.openDescriptorCount
        for _ in 0..<count {
            try pair.one.send(text: "text")
            let found = try Received(pair.other)
            try #require(found.bytes == Array("text".utf8))
            try #require(found.peer?.processID == getpid())
            try #require(found.process == nil)
        }
        return ProcessFacts.openDescriptorCount - before
    }
}

@Suite struct `A connected socket` {
    private static let own = PeerIdentity(
        processID: getpid(),
        userID: getuid(),
        groupID: getgid()
    )

    @Test func `tells who sent what arrives, without a descriptor`() async {
        await #expect(processExitsWith: .success) {
            // Other threads of the process open descriptors, too, but not hundreds.
            try #require(try ProcessFacts.descriptorsLeft(byReceiving: 500) < 250)
        }
    }

    @Test func `hands over the process that sent, where that is wanted`() throws {
        let pair = try UnixStream.Pair()
        try pair.other.tellSenders()
        try pair.one.send(text: "text")
        let found = try Received(pair.other, wanting: .process)
        // Kernels before 6.5 hand over none.
        #expect(found.process == nil || found.process == getpid())
        #expect(found.peer == Self.own)
    }

    @Test(arguments: [UnixStream.Wish.nothing, .process])
    func `closes what was handed over and not wanted`(wish: UnixStream.Wish) throws {
        let pair = try UnixStream.Pair()
        try pair.other.tellSenders()
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        defer { _ = ends.map(close) }
        try pair.one.send(text: "text", handingOver: ends[0])
        let found = try Received(pair.other, wanting: wish)
        #expect(found.bytes == Array("text".utf8))
        #expect(!found.hasDescriptor)
        #expect(ProcessFacts.descriptorCount(of: ends[0]) == 1)
    }

    @Test func `hands over a descriptor that is wanted`() throws {
        let pair = try UnixStream.Pair()
        try pair.one.send(text: "text", handingOver: STDOUT_FILENO)
        let found = try Received(pair.other, wanting: .descriptor)
        #expect(found.hasDescriptor)
        #expect(!found.hadDescriptors)
    }

    @Test func `has nothing to receive until something arrives`() throws {
        let pair = try UnixStream.Pair()
        let nothing = try Received(pair.other)
        #expect(nothing.bytes.isEmpty)
        var hasArrival = pair.other.hasArrival()
        #expect(!hasArrival)
        try pair.one.send(text: "text")
        hasArrival = pair.other.hasArrival()
        #expect(hasArrival)
        let wakeup = try pair.other.wait(for: .arrival, until: .never)
        #expect(wakeup == .ready)
    }

    @Test func `gives up waiting at the deadline`() throws {
        let pair = try UnixStream.Pair()
        let arrival = try pair.one.wait(for: .arrival, until: .after(milliseconds: 5))
        let room = try pair.one.wait(for: .room, until: .never)
        #expect(arrival == .timedOut)
        #expect(room == .ready)
    }

    @Test func `wakes when its other end is closed`() throws {
        let pair = try UnixStream.Pair()
        var isEnded = pair.other.isEnded()
        #expect(!isEnded)
        pair.one.end()
        isEnded = pair.other.isEnded()
        #expect(isEnded)
        let wakeup = try pair.other.wait(for: .arrival, until: .never)
        #expect(wakeup == .ready)
    }

    @Test func `cannot be sent to when its other end receives no more`() throws {
        let pair = try UnixStream.Pair()
        pair.other.endReceiving()
        var end: SocketError?
        do { try pair.one.send(text: "text") } catch let error as SocketError { end = error }
        #expect(end?.isEnd == true)
        try pair.other.send(text: "text")
    }

    @Test func `wakes when the process ends that is watched`() throws {
        let pair = try UnixStream.Pair()
        let child = try TestProgram(["/bin/true"]).start()
        let process = try Descriptor.process(child.processID)
        let wakeup = try pair.one.wait(
            for: .arrival,
            watching: process.number,
            until: .after(milliseconds: 120_000)
        )
        #expect(wakeup == .processEnded)
        let isEnded = pair.one.isEnded(watching: process.number)
        #expect(isEnded)
        #expect(try child.wait().status == 0)
    }

    @Test func `knows the process at its other end`() throws {
        let pair = try UnixStream.Pair()
        let peer = try pair.one.peer()
        #expect(peer == Self.own)
    }
}

/// A TCP connection of this machine whose end takes as long as it lingers: nobody reads it.
private struct LingeringSocket {
    let number: Int32
    private let listener: Int32

    init(seconds: Int32) throws {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let (listener, number) = (socket(AF_INET, kind, 0), socket(AF_INET, kind, 0))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        var count = size
        let isConnected = withUnsafeMutablePointer(to: &address) { place in
            place.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, size) == 0 && listen(listener, 1) == 0
                    && getsockname(listener, address, &count) == 0
                    && connect(number, address, size) == 0
            }
        }
        try #require(isConnected)
        let bytes = [UInt8](repeating: 1, count: 1 << 16)
        while send(number, bytes, bytes.count, Int32(MSG_DONTWAIT)) > 0 {}
        var setting = linger(l_onoff: 1, l_linger: seconds)
        let length = socklen_t(MemoryLayout<linger>.size)
        try #require(setsockopt(number, SOL_SOCKET, SO_LINGER, &setting, length) == 0)
        self.listener = listener
        self.number = number
    }

    func end() { close(listener) }
}

@Suite(.requirement("HRD-05")) struct `A connection that brought a socket which lingers` {
    /// How long it takes to end one.
    private func end(lettingGo isLetGo: Bool) throws -> Duration {
        let lingering = try LingeringSocket(seconds: 3)
        defer { lingering.end() }
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        var numbers: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, kind, 0, &numbers) == 0)
        let sender = UnixStream(Descriptor(numbers[0]))
        var receiver: UnixStream? = UnixStream(Descriptor(numbers[1]))
        let count = try withUnsafeBytes(of: UInt8(1)) { byte in
            try sender.send(byte, handingOver: lingering.number)
        }
        #expect(count == 1)
        // The only copy is now in what nobody has read.
        close(lingering.number)
        let start = ContinuousClock.now
        if isLetGo { receiver?.letGo() }
        receiver = nil
        return .now - start
    }

    @Test func `ends at once if it is let go`() throws {
        #expect(try end(lettingGo: true) < .seconds(2))
        // The same end takes as long as the socket lingers.
        #expect(try end(lettingGo: false) >= .seconds(2))
    }
}
