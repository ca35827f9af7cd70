import FileProtection
import Foundation
import KeychainSimulator
import TestSupport
import Testing

@Suite struct `A protected file that is replaced` {
    private let phone: Phone
    private let url: URL

    init() throws {
        phone = try Phone()
        url = phone.folder.url("a")
    }

    private func store(_ text: String, _ options: Data.WritingOptions = []) throws {
        try Data(text.utf8).write(toProtectedFile: url, options: options)
    }

    @Test(.requirement("FDP-13"))
    func `keeps its class`() throws {
        try phone.app.run {
            try store("old", .completeFileProtection)
            try store("new")
            #expect(try ProtectedFile(opening: url).protection == .complete)
        }
    }

    @Test func `gives no class away if its header does not open`() throws {
        try phone.app.run {
            try store("old", .completeFileProtection)
            var bytes = try Data(contentsOf: url)
            // The class in both slots: anybody who can write the file can change it.
            (bytes[10], bytes[4106]) = (4, 4)
            try bytes.write(to: url)
            #expect(throws: (any Error).self) { try store("new") }
            #expect(try Data(contentsOf: url) == bytes)
        }
    }

    @Test func `is not replaced while somebody writes to it`() throws {
        try phone.app.run {
            let file = try ProtectedFile(creating: url)
            #expect(throws: ProtectedFileError.self) { try store("other") }
            try file.write(contentsOf: Data("own".utf8))
            try file.close()
            #expect(try Data(contentsOfProtectedFile: url) == Data("own".utf8))
        }
    }

    @Test func `is not open under its old name`() throws {
        try phone.app.run {
            try store("old")
            let old = try ProtectedFile(opening: url)
            #expect(throws: ProtectedFileError.self) { try store("new") }
            try old.close()
            try store("new")
            #expect(try Data(contentsOfProtectedFile: url) == Data("new".utf8))
        }
    }
}
