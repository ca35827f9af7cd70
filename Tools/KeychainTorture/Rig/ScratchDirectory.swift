import Foundation
import Glibc
import KeychainModel

/// Directories of one run in memory, which are removed with this value.
///
/// Faults and power losses are simulated with exact records of all writes and syncs, so the storage
/// itself only has to be fast.
final class ScratchDirectory {
    let path: String

    init() throws(KeychainError) {
        let root = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : NSTemporaryDirectory()
        path = root + "/keychain-torture-" + UUID().uuidString
        guard mkdir(path, 0o700) == 0 else {
            throw KeychainError(.io, "cannot make \(path): \(String(cString: strerror(errno)))")
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Returns the path of a directory that does not exist yet.
    func directory(_ name: String) -> String { path + "/" + name }

    /// Makes a directory with the files of another one, and removes its earlier content.
    func copy(_ source: String, to target: String) throws(KeychainError) {
        let files = FileManager.default
        do {
            if files.fileExists(atPath: target) { try files.removeItem(atPath: target) }
            guard files.fileExists(atPath: source) else { return }
            try files.copyItem(atPath: source, toPath: target)
        } catch { throw KeychainError(.io, "cannot copy \(source): \(error)") }
    }

    /// Makes a directory with exactly these files, and removes its earlier content.
    func fill(_ target: String, with files: [String: [UInt8]]) throws(KeychainError) {
        do {
            let manager = FileManager.default
            if manager.fileExists(atPath: target) { try manager.removeItem(atPath: target) }
            try manager.createDirectory(
                atPath: target,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch { throw KeychainError(.io, "cannot make \(target): \(error)") }
        for (name, bytes) in files { try Self.write(bytes, to: target + "/" + name) }
    }

    /// Writes bytes to a file of mode 0600.
    static func write(_ bytes: [UInt8], to path: String) throws(KeychainError) {
        let file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw KeychainError(.io, "cannot open \(path)") }
        defer { close(file) }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(file, $0.baseAddress.map { $0 + written }, $0.count - written)
            }
            guard count > 0 else { throw KeychainError(.io, "cannot write \(path)") }
            written += count
        }
    }

    /// Returns the bytes of a file.
    static func read(_ path: String) throws(KeychainError) -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw KeychainError(.io, "cannot read \(path)")
        }
        return [UInt8](data)
    }
}
