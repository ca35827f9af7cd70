import Foundation
import KeychainModel
import TestSupport
import Testing

@testable import KeychainEngine

/// `Vectors/item.txt`, and `Vectors/item-1.txt` with the halves of the earlier version.
///
/// `name: hexadecimal`, one to a line; `#` begins a comment.
struct ItemVector {
    private let values: [String: [UInt8]]

    init(version: Int? = nil) throws {
        try self.init(file: version.map { "item-\($0).txt" } ?? "item.txt")
    }

    /// The vectors of another file beside it.
    init(file name: String) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = folder.appending(path: "Vectors/" + name)
        var values: [String: [UInt8]] = [:]
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            let parts = line.split(separator: ":")
            guard !line.hasPrefix("#"), parts.count == 2 else { continue }
            values[String(parts[0])] = bytes(String(parts[1]))
        }
        self.values = values
    }

    func callAsFunction(_ name: String) throws -> [UInt8] {
        try #require(values[name], "no \(name) in the vector")
    }

    /// The fixture's row with the halves of this vector.
    func sealed() throws -> SealedItem {
        SealedItem(
            columns: CipherFixture.columns,
            metadata: try self("metadata"),
            secret: try self("secret")
        )
    }
}
