import Foundation
import Synchronization

/// The files of this checkout.
enum Checkout {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The names of the Swift files in a folder, without the ending.
    static func swiftFiles(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)
            .filter { $0.hasSuffix(".swift") }.map { String($0.dropLast(".swift".count)) }.sorted()
    }
}

/// Values that reached a closure.
final class Seen: Sendable {
    private let found = Mutex<[Data]>([])

    var values: [Data] { found.withLock { $0 } }

    func add(_ value: Data) { found.withLock { $0.append(value) } }
}
