import Foundation
import TestSupport

/// A folder of its own in which the `openssl` command runs; it goes with the value.
final class OpenSSLWorkshop {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("openssl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: folder.appendingPathComponent(name))
    }

    /// Where a file of the folder is.
    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    func write(_ text: String, to name: String) throws {
        try write([UInt8](text.utf8), to: name)
    }

    func read(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
    }

    /// Runs the command; words are split at blanks.
    ///
    /// - Returns: What it wrote to standard output.
    /// - Throws: `Failure` with its complaint if it fails.
    @discardableResult
    func run(_ words: String, _ more: String...) throws -> [UInt8] {
        let words = ["/usr/bin/openssl"] + words.split(separator: " ").map(String.init) + more
        let result = try TestProgram(words, directory: folder.path).run(joinsErrors: false)
        guard result.status == 0 else {
            throw Failure(description: "\(words.joined(separator: " ")): \(result.errors)")
        }
        return result.bytes
    }

    /// Runs the command and returns its output as text without blanks at the ends.
    func text(_ words: String) throws -> String {
        let output = try run(words)
        return String(decoding: output, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
