import Foundation
import TestSupport
import Testing

@testable import KeychainMigration

@Suite struct `A journal in a file` {
    private let place: URL
    private let entry = JournalEntry(
        id: "id",
        stage: .writing,
        target: .genericPassword(service: "mail", account: "ada"),
        date: Date(timeIntervalSince1970: 0)
    )

    init() throws {
        place = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    }

    @Test func `belongs to its owner alone`() throws {
        defer { try? FileManager.default.removeItem(at: place) }
        let file = place.appending(path: "journal")
        try FileJournal(file: file).record(entry)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try FileJournal(file: file).entries() == ["id": entry])
    }

    @Test func `is not written through a link in its place`() throws {
        defer { try? FileManager.default.removeItem(at: place) }
        let other = place.appending(path: "other")
        try Data("whole".utf8).write(to: other)
        let file = place.appending(path: "journal")
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: other)
        #expect(throws: JournalFailure.unwritable(file.path)) {
            try FileJournal(file: file).record(entry)
        }
        #expect(try Data(contentsOf: other) == Data("whole".utf8))
    }
}
