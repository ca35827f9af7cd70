import Foundation
import Glibc
import KeychainModel
import KeychainSimulator
import TestSupport
import Testing

@testable import FileProtection
@testable import ProtectedFiles

@Suite struct `A protected file that states any length` {
    private let phone: Phone
    private let url: URL

    init() throws {
        phone = try Phone()
        url = phone.folder.url("a")
    }

    /// Has a header that opens, and no chunk.
    private func state(_ length: Int) throws {
        let file = try FileContainer.create(url.path, .none, .ambient())
        var state = FileState()
        state.length = length
        let image = try #require(file.keys).image(file.slot, state)
        try file.close()
        try replace(url.path, image + image)
    }

    @Test func `takes no memory for what is not there`() throws {
        try phone.app.run {
            try state(FileLayout.byteCountLimit)
            #expect(throws: ProtectedFileError.self) { try Data(contentsOfProtectedFile: url) }
            #expect(FileManager.protected.contents(atPath: url.path) == nil)
            let file = try ProtectedFile(opening: url)
            #expect(file.length == UInt64(FileLayout.byteCountLimit))
        }
    }

    @Test func `is too large to read at once if it is larger than the memory`() throws {
        try phone.app.run {
            let file = try ProtectedFile(creating: url)
            try file.truncate(atOffset: 1 << 47)
            let code = CocoaError.Code.fileReadTooLarge.rawValue
            file.seek(toOffset: 0)
            #expect(refusal { _ = try file.readToEnd() }.first == code)
            #expect(try file.read(upToCount: 10) == Data(count: 10))
        }
    }

    @Test func `is read as a whole, however often the memory has to grow`() throws {
        try phone.app.run {
            let (file, end) = (try ProtectedFile(creating: url), UInt64(40 << 20) + 3)
            try file.write(contentsOf: Data("first".utf8))
            try file.write(contentsOf: Data("middle".utf8), at: (1 << 24) - 3)
            try file.write(contentsOf: Data("last".utf8), at: end)
            try file.close()
            let data = try Data(contentsOfProtectedFile: url)
            #expect(data.count == Int(end) + 4)
            #expect(data.prefix(6) == Data("first\0".utf8))
            #expect(data[(1 << 24) - 4..<(1 << 24) + 4] == Data("\0middle\0".utf8))
            #expect(data.suffix(5) == Data("\0last".utf8))
        }
    }
}

@Suite struct `What is no whole protected file` {
    private let keys = MemoryFileKeys()
    private let folder: Folder

    init() throws {
        folder = try Folder()
        let file = try FileContainer.create(folder("a"), .complete, keys.source)
        try file.put(pattern(100))
        try file.close()
    }

    private func failures() -> [FileFailure?] {
        let path = folder("a")
        let attempts: [() throws -> Void] = [
            { _ = try FileContainer.examine(path) },
            { _ = try FileContainer.open(path, isWritable: false, keys.source) },
            { _ = try FileContainer.replaced(FilePlace(path), keys.source) },
        ]
        return attempts.map { attempt in
            do { try attempt() } catch { return error as? FileFailure }
            return nil
        }
    }

    /// How much is left of a container whose second slot is broken, too.
    @Test(arguments: [8, 639, 4000, 4095])
    func `is damaged as soon as it has the magic`(count: Int) throws {
        try replace(folder("a"), Array(try contents(folder("a")).prefix(count)))
        let damaged = FileFailure.damaged(folder("a"), .header)
        #expect(failures() == [damaged, damaged, damaged])
        #expect(FileContainer.isProtected(folder("a")))
        // It goes like any other file: there is no key to destroy.
        try FileManager.protected.removeItem(atPath: folder("a"))
        #expect(folder.names == [])
    }

    @Test func `is damaged with the magic in the other slot alone`() throws {
        var bytes = try contents(folder("a"))
        bytes.replaceSubrange(..<4096, with: [UInt8](repeating: 0, count: 4096))
        bytes[4096 + 11] = 99
        try replace(folder("a"), bytes)
        let damaged = FileFailure.damaged(folder("a"), .header)
        #expect(failures() == [damaged, damaged, damaged])
    }

    @Test func `is any other file without the magic`() throws {
        let bytes = try contents(folder("a"))
        try replace(folder("a"), [UInt8](repeating: 0, count: 8192) + bytes[8192...])
        let plain = FileFailure.notProtected(folder("a"))
        #expect(failures() == [plain, plain, nil])
    }

    @Test func `is not replaced if it is a pipe`() throws {
        #expect(mkfifo(folder("pipe"), 0o600) == 0)
        let url = folder.url("pipe")
        try Phone().app.run {
            _ = #expect(throws: ProtectedFileError.notRegular(url)) {
                try Data("x".utf8).write(toProtectedFile: url)
            }
        }
        #expect(folder.names == ["a", "pipe"])
    }
}
