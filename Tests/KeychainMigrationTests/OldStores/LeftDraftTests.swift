import Foundation
import KeychainMigration
import Testing

/// Drafts that an earlier process left beside a file when it was killed.
@Suite struct `A draft that a killed process left` {
    private let folder: URL
    private var file: URL { folder.appending(path: ".env") }

    init() throws {
        folder = URL(filePath: NSTemporaryDirectory()).appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("A=1\n".utf8).write(to: file)
    }

    private func leave(_ name: String) throws -> URL {
        let url = folder.appending(path: name)
        try Data("A=secret\n".utf8).write(to: url)
        return url
    }

    private func names() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
    }

    private func finish() throws { try FileManager.default.removeItem(at: folder) }

    @Test func `goes when the file is replaced`() throws {
        _ = try leave("..env.\(UUID().uuidString)")
        try PlainFile(file).replace(with: Data("A=2\n".utf8))
        #expect(try names() == [".env"])
        try finish()
    }

    @Test func `goes when the file is removed`() throws {
        _ = try leave("..env.\(UUID().uuidString)")
        try PlainFile(file).remove()
        #expect(try names() == [])
        try finish()
    }

    @Test(arguments: ["..env.backup", "..netrc.\(UUID().uuidString)", ".env.bak", "..env."])
    func `is not what merely looks like one`(name: String) throws {
        _ = try leave(name)
        try PlainFile(file).replace(with: Data("A=2\n".utf8))
        #expect(try names() == [".env", name])
        try finish()
    }

    @Test func `stays while a process writes it`() throws {
        let draft = try leave("..env.\(UUID().uuidString)")
        let handle = try FileHandle(forWritingTo: draft)
        #expect(flock(handle.fileDescriptor, LOCK_EX) == 0)
        try PlainFile(file).replace(with: Data("A=2\n".utf8))
        #expect(try names() == [".env", draft.lastPathComponent])
        try handle.close()
        try finish()
    }
}
