import Foundation

@testable import conformance_ledger

/// The files of this checkout, read once.
enum Checkout {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The ledger, for which all tests are read once.
    static let ledger = Result { try Ledger(root: root) }

    static let swiftFiles: [SourceFile] = ["Sources", "Tests", "Tools", "Fuzz"].flatMap { folder in
        FileManager.default.swiftFiles(below: root.appending(path: folder)).map {
            "\(folder)/\($0)"
        }
    }
    // Code with mistakes for the linter to find, and steps of tutorials, which no target compiles.
    .filter { !$0.hasPrefix("Tools/KeychainLint/Fixtures/") && !$0.contains(".docc/") }
    .map(read)

    /// Every text a reader of the repository sees: code, documents, scripts.
    static let texts: [SourceFile] = swiftFiles + documents.map(read)

    private static var documents: [String] {
        let endings = [".md", ".tsv", ".sh", ".swift", ".h", ".c", ".modulemap", ".json", ".txt"]
        let folders = ["Documentation", "Scripts", "Sources", "Tests"].flatMap { folder in
            paths(in: folder).filter { !$0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }
        }
        let top = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        return (top + folders).filter { path in endings.contains { path.hasSuffix($0) } }.sorted()
    }

    private static func paths(in folder: String) -> [String] {
        let walk = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
        return walk?.compactMap { $0 as? String } ?? []
    }

    private static func read(_ path: String) -> SourceFile {
        let text = try? String(contentsOf: root.appending(path: path), encoding: .utf8)
        return SourceFile(path, text ?? "")
    }
}
