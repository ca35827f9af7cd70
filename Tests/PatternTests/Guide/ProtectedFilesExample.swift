import FileProtection
import Foundation
import KeychainSimulator
import Testing

// What Documentation/Files.md shows, line by line. Another test compares the two.

@Suite struct `An example of the page about files` {
    private let phone: SimulatedDevice
    private let app: SimulatedApp
    private let data = Data("Dear diary".utf8)

    init() throws {
        phone = try SimulatedDevice()
        app = phone.install(.init(bundleIdentifier: "com.example.app"))
    }

    @Test func `writes and reads a whole file`() throws {
        let url = app.container.appending(path: "diary")
        try app.run {
            try data.write(toProtectedFile: url, options: .completeFileProtection)
            let saved = try Data(contentsOfProtectedFile: url)
            #expect(saved == data)
        }
    }

    @Test func `writes at any place`() throws {
        let url = app.container.appending(path: "large")
        let (part, more) = (data, data)
        try app.run {
            let file = try ProtectedFile(creating: url, protection: .completeUnlessOpen)
            try file.write(contentsOf: part)
            file.seek(toOffset: 1 << 30)
            try file.write(contentsOf: more)  // the gap reads as zeros and takes no space
            try file.close()
            #expect(try ProtectedFile(opening: url).read(at: 1 << 30, upToCount: 99) == more)
        }
    }

    @Test func `adds a second layer`() throws {
        let url = app.container.appending(path: "diary")
        try app.run {
            let envelope = Envelope(service: "diary", account: "file key")
            try envelope.write(data, to: url)
            let saved = try envelope.read(url)
            #expect(saved == data)
        }
    }

    @Test func `states a class for new files of a directory`() throws {
        let directory = app.container.path
        try app.run {
            let complete = [FileAttributeKey.protectionKey: FileProtectionType.complete]
            try FileManager.protected.setAttributes(complete, ofItemAtPath: directory)
            let url = app.container.appending(path: "new")
            try ProtectedFile(creating: url).close()
            #expect(try ProtectedFile(opening: url).protection == .complete)
        }
    }
}
