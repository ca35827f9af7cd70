import Foundation
import KeychainModel
import Secrets
import Testing

@testable import KeychainCommand

@Suite struct `Writing a file` {
    private static let content = Array("content".utf8)

    private static func write(_ path: String, isSecret: Bool) throws {
        try OutputFile(path: path, isSecret: isSecret).write(Secret(copying: content))
    }

    private static func read(_ path: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path).map { [UInt8]($0) }
    }

    @Test(arguments: [nil, "old"] as [String?])
    func `leaves the whole of it and nothing beside`(old: String?) throws {
        let scratch = try ScratchFolder()
        defer { scratch.remove() }
        let path = scratch.path + "/out"
        if let old { try old.write(toFile: path, atomically: false, encoding: .utf8) }
        try Self.write(path, isSecret: true)
        #expect(Self.read(path) == Self.content)
        #expect(ScratchFolder.permissions(of: path) == "600")
        #expect(try scratch.names == ["out"])
    }

    @Test func `follows a link to what it names`() throws {
        let scratch = try ScratchFolder()
        defer { scratch.remove() }
        let path = scratch.path + "/out"
        try "old".write(toFile: path, atomically: false, encoding: .utf8)
        let link = scratch.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        try Self.write(link, isSecret: true)
        #expect(Self.read(path) == Self.content)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
    }

    @Test(
        .enabled(if: geteuid() == 0, "only root gives files to another account"),
        arguments: [true, false]
    )
    func `gives no secret to another account's pipe or link`(isLink: Bool) throws {
        let scratch = try ScratchFolder()
        defer { scratch.remove() }
        let (path, other) = (scratch.path + "/out", scratch.path + "/other")
        if isLink {
            try "old".write(toFile: other, atomically: false, encoding: .utf8)
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other)
        } else {
            try #require(mkfifo(path, 0o666) == 0)
        }
        try #require(lchown(path, 65534, 65534) == 0)
        // A pipe opens for writing once somebody reads it.
        let reader = isLink ? -1 : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { if reader >= 0 { close(reader) } }
        #expect(throws: KeychainError(.writePermission, "")) {
            try Self.write(path, isSecret: true)
        }
        try Self.write(path, isSecret: false)
        if isLink { #expect(Self.read(other) == Self.content) }
    }

    @Test func `writes into a device instead of replacing it`() throws {
        try Self.write("/dev/null", isSecret: true)
        let attributes = try FileManager.default.attributesOfItem(atPath: "/dev/null")
        #expect(attributes[.type] as? FileAttributeType == .typeCharacterSpecial)
    }

    @Test(arguments: ["/missing/out", "", "/"])
    func `fails where there is no place for a file`(name: String) throws {
        let scratch = try ScratchFolder()
        defer { scratch.remove() }
        let path = name.isEmpty ? "" : scratch.path + name
        #expect(throws: KeychainError(.io, "")) { try Self.write(path, isSecret: false) }
        #expect(try scratch.names.isEmpty)
    }
}

@Suite struct `Reading a file` {
    @Test func `refuses what is larger than any file of keys`() throws {
        let scratch = try ScratchFolder()
        defer { scratch.remove() }
        let path = scratch.path + "/large"
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.truncate(atOffset: UInt64(InputFile.byteCountLimit + 1))
        try file.close()
        #expect(throws: KeychainError(.dataTooLarge, "")) { _ = try InputFile.read(path).byteCount }
    }

    @Test func `takes bytes as they are, a final newline too`() throws {
        let bytes: [UInt8] = [0, 0xFF, 0x0A]
        let terminal = TestTerminal(input: bytes)
        #expect(try InputFile.read(terminal).copyBytesUnprotected() == bytes)
    }

    @Test func `fails on a folder`() throws {
        let folder = NSTemporaryDirectory()
        #expect(throws: KeychainError(.io, "")) { _ = try InputFile.read(folder).byteCount }
    }
}
