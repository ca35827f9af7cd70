import Foundation
import Glibc
import KeychainSockets
import TestSupport
import Testing

@Suite struct `A listening socket` {
    private let path = FileManager.default.temporaryDirectory.path + "/socket-" + UUID().uuidString

    @Test func `has its mode and accepts whoever connects`() throws {
        let listener = try UnixListener(at: path, mode: 0o600)
        defer { unlink(path) }
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        var isAccepted = try listener.accept() != nil
        #expect(!isAccepted)
        let stream = try UnixStream(connectingTo: path, milliseconds: 60_000)
        let accepted = try listener.accept()
        isAccepted = accepted != nil
        #expect(isAccepted)
        _ = consume stream
        _ = consume accepted
    }

    @Test func `hands its sockets the wish to know who sends`() throws {
        let listener = try UnixListener(at: path, mode: 0o600)
        defer { unlink(path) }
        let stream = try UnixStream(connectingTo: path, milliseconds: 60_000)
        // Sent before anybody accepts.
        try [UInt8](repeating: 1, count: 3).withUnsafeBytes { _ = try stream.send($0) }
        guard let accepted = try listener.accept() else {
            Issue.record("nothing was accepted")
            return
        }
        var memory = [UInt8](repeating: 0, count: 10)
        let peer: PeerIdentity? = try memory.withUnsafeMutableBytes { memory in
            guard let chunk = try accepted.receive(into: memory) else { return nil }
            return chunk.peer
        }
        #expect(peer?.processID == getpid())
    }

    @Test func `is not made where something is`() throws {
        let listener = try UnixListener(at: path, mode: 0o600)
        defer { unlink(path) }
        let error = failure { () throws(SocketError) in _ = try UnixListener(at: path, mode: 0o600)
        }
        #expect(error?.code == EADDRINUSE)
        _ = consume listener
    }

    @Test(arguments: ["", String(repeating: "long", count: 40)])
    func `is not made at a path that no socket can have`(path: String) throws {
        #expect(
            failure { () throws(SocketError) in _ = try UnixListener(at: path, mode: 0o600) }?.code
                == ENAMETOOLONG
        )
        let error = failure { () throws(SocketError) in
            _ = try UnixStream(connectingTo: path, milliseconds: 10)
        }
        #expect(error?.code == ENAMETOOLONG)
    }

    @Test func `that nobody has refuses`() throws {
        let error = failure { () throws(SocketError) in
            _ = try UnixStream(connectingTo: path, milliseconds: 10)
        }
        #expect(error?.code == ENOENT)
    }

    private func failure(of body: () throws(SocketError) -> Void) -> SocketError? {
        do throws(SocketError) {
            try body()
            return nil
        } catch { return error }
    }
}
