import Foundation
import TestSupport

/// A folder of a test's own.
struct ScratchFolder {
    let path: String

    init() throws {
        let folder = URL(filePath: NSTemporaryDirectory()).appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.path
    }

    /// Makes a file, and the folders on the way to it, readable by their owner alone.
    func write(_ content: String, to path: String) throws {
        try write(Data(content.utf8), to: path)
    }

    func write(_ content: Data, to path: String) throws {
        let file = URL(filePath: path)
        let folder = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try content.write(to: file)
        let mode = [FileAttributeKey.posixPermissions: 0o600]
        try FileManager.default.setAttributes(mode, ofItemAtPath: path)
    }

    func remove() { Litter.remove(path) }

    /// The names of the files in it.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    /// Such as `600`; nil when there is no such file.
    static func permissions(of path: String) -> String? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.posixPermissions] as? Int).map { String($0, radix: 8) }
    }
}
