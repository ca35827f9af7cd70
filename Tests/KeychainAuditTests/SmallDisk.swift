import Foundation
import Testing

/// A disk of 64 kilobytes over a log's directory, gone with the test; needs root.
final class SmallDisk {
    static let isPossible = geteuid() == 0 && (try? SmallDisk(LogPlace())) != nil

    private let path: String

    /// Could not be mounted.
    struct Refusal: Error {}

    init(_ place: LogPlace) throws {
        path = place.directory
        mkdir(path, 0o700)
        guard mount("tmpfs", path, "tmpfs", 0, "size=64k,mode=700") == 0 else { throw Refusal() }
    }

    deinit { umount2(path, Int32(MNT_DETACH)) }

    /// Takes every block that is left.
    func fill() throws {
        let handle = open(path + "/filler", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        try #require(handle >= 0)
        defer { close(handle) }
        let block = [UInt8](repeating: 0, count: 4096)
        while write(handle, block, block.count) > 0 {}
    }

    func makeRoom() throws { try #require(unlink(path + "/filler") == 0) }
}
