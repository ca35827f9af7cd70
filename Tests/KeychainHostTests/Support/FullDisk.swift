import EngineTestSupport
import Foundation

/// A disk of a few hundred kilobytes, gone with the test.
final class FullDisk {
    static let isPossible = geteuid() == 0 && (try? FullDisk()) != nil

    let path: String
    private var filler: String { path + "/filler" }

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/keychain-disk-" + UUID().uuidString
        try require(mkdir(path, 0o700) == 0, path)
        let options = "size=512k,mode=700"
        guard mount("tmpfs", path, "tmpfs", 0, options) == 0 else {
            rmdir(path)
            throw SystemRefusal("mount")
        }
    }

    deinit {
        umount2(path, Int32(MNT_DETACH))
        rmdir(path)
    }

    /// Takes every block that is left.
    func fill() throws {
        let descriptor = open(filler, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        try require(descriptor >= 0, filler)
        defer { close(descriptor) }
        let block = [UInt8](repeating: 0, count: 4096)
        while write(descriptor, block, block.count) > 0 {}
    }

    func makeRoom() throws { try require(unlink(filler) == 0, filler) }
}
