import Dispatch
import KeychainServer

/// A server that stops on another thread.
final class ServerStop: Sendable {
    private let done = DispatchSemaphore(value: 0)

    init(_ server: SocketServer) {
        DispatchQueue.global().async { [done] in
            server.stop()
            done.signal()
        }
    }

    func wait() { done.wait() }
}
