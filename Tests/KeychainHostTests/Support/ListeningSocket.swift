import EngineTestSupport
import Glibc

/// A socket at a path that something listens at, and that answers nobody.
struct ListeningSocket {
    private let path: String
    private let descriptor: Int32

    init(at path: String) throws {
        self.path = path
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try require(descriptor >= 0, "socket")
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        try require(path.utf8.count < room, path)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        try require(isBound && listen(descriptor, 1) == 0, path)
    }

    func close() {
        Glibc.close(descriptor)
        unlink(path)
    }
}
