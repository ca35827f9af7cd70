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

    @Test func `is made where a link to nothing leads, and refused with two names`() throws {
        try phone.app.run {
            symlink("target", url.path)
            try store("new")
            let target = phone.folder.url("target")
            #expect(try Data(contentsOfProtectedFile: target) == Data("new".utf8))
            #expect(throws: CocoaError.self) { try store("newer", .withoutOverwriting) }
            link(target.path, phone.folder.url("snapshot").path)
            #expect(throws: (any Error).self) { try store("newer") }
            #expect(try Data(contentsOfProtectedFile: target) == Data("new".utf8))
        }
    }

    @Test func `stays when what has a link to it goes`() throws {
        try phone.app.run { try store("diary") }
        symlink(url.path, phone.app.container.appendingPathComponent("link").path)
        let folder = phone.folder.url("folder")
        mkdir(folder.path, 0o700)
        symlink(url.path, folder.appendingPathComponent("link").path)
        try FileManager.protected.removeItem(at: folder)
        phone.device.uninstall(phone.app)
        #expect(phone.folder.names == ["a"])
        #expect(url.isProtectedFile)
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

    @Test func `by createFile keeps everything that is not stated, or stays as it is`() throws {
        try phone.app.run {
            let files = FileManager.protected
            try store("old", .completeFileProtection)
            try url.setProtectedFileExcludedFromBackup(true)
            try files.setAttributes([.posixPermissions: 0o640], ofItemAtPath: url.path)
            let reader = try ProtectedFile(opening: url)
            let none = [FileAttributeKey.protectionKey: FileProtectionType.none]
            #expect(!files.createFile(atPath: url.path, contents: Data(), attributes: none))
            #expect(try reader.readToEnd() == Data("old".utf8))
            try reader.close()
            #expect(try Data(contentsOfProtectedFile: url) == Data("old".utf8))
            #expect(files.createFile(atPath: url.path, contents: Data("new".utf8)))
            let file = try ProtectedFile(opening: url)
            #expect(file.protection == .complete && file.isExcludedFromBackup)
            #expect(try file.readToEnd() == Data("new".utf8))
            let told = try files.attributesOfItem(atPath: url.path)
            #expect(told[.posixPermissions] as? Int == 0o640)
            try file.close()
            #expect(files.createFile(atPath: url.path, contents: nil, attributes: none))
            #expect(try ProtectedFile(opening: url).protection == .none)
            #expect(phone.folder.names == ["a"])
        }
    }
}
