import Foundation
import KeychainMessages
import KeychainModel
import ModelTestSupport
import TestSupport
import Testing

@testable import KeychainAudit

/// The bytes of Documentation/Spec/log.md §8; they were computed by another program.
@Suite(.requirement("DMN-13")) struct `The bytes of a log` {
    private let place = LogPlace()

    @Test func `are those of the specification`() throws {
        let log = try place.open()
        log.append(.find())
        log.close()
        let rows = try Self.rows()
        let lines = [rows["header"], rows["line 1"], rows["line 2"]].compactMap { $0 }
        #expect(try place.text(place.files[0]) == lines.map { $0 + "\n" }.joined())
        #expect(try place.text("head") == rows["head"].map { $0 + "\n" })
        let query: AttributeDictionary = [.account: .string("alice"), .service: .string("mail")]
        #expect(log.itemDigest(.genericPassword, query) == [22, 182, 18, 90, 14, 154, 103, 235])
    }

    /// The rows of the specification's table of vectors.
    private static func rows() throws -> [String: String] {
        let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Documentation/Spec/log.md")
        let text = try String(contentsOf: path, encoding: .utf8)
        var rows: [String: String] = [:]
        for line in text.split(separator: "\n") where line.hasPrefix("| ") {
            let cells = line.split(separator: "|").map { $0.trimmingPrefix(" ") }
            guard cells.count == 2, cells[1].hasPrefix("`"), cells[1].hasSuffix("` ") else {
                continue
            }
            let name = cells[0].trimmingCharacters(in: .whitespaces)
            rows[name] = String(cells[1].dropFirst().dropLast(2)).replacing("→", with: "\t")
        }
        return rows
    }
}
