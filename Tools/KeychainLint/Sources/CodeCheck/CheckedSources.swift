import Foundation
import LintAnalysis
import LintModel
import SwiftSyntax

/// The files for the compiler, and the files of the project from which they were made.
///
/// A `#sourceLocation` in checked code would assign an error to another file, or to none. So the
/// compiler gets a copy of such a file, in which blanks replace these lines.
struct CheckedSources: ~Copyable {
    /// The paths of the files for the compiler.
    private(set) var paths: [String] = []
    /// The files of the project, by the paths for the compiler.
    private(set) var names: [String: String] = [:]
    /// The folder of the copies.
    private let folder: URL

    init(_ files: [ParsedFile]) throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "keychain-lint-\(UUID().uuidString)")
        for (index, file) in files.enumerated() {
            // As a bare name, `-o.swift` would be an option, and `@a.swift` a file of options.
            let own = URL(filePath: file.source.path).standardizedFileURL
            let text = Self.withoutMoves(file)
            guard text != file.source.text else {
                add(own.path, for: file)
                continue
            }
            // The name matters to the compiler: only `main.swift` may have statements at its top.
            let place = folder.appending(path: "\(index)")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            let copy = place.appending(path: own.lastPathComponent)
            try Data(text.utf8).write(to: copy)
            add(copy.path, for: file)
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private mutating func add(_ path: String, for file: ParsedFile) {
        paths.append(path)
        names[path] = file.source.path
    }

    /// Returns the text with a blank for each byte of a `#sourceLocation`, so that all places stay.
    private static func withoutMoves(_ file: ParsedFile) -> String {
        guard file.source.text.contains("#sourceLocation") else { return file.source.text }
        var bytes = Array(file.source.text.utf8)
        for range in moves(in: file.tree) {
            for index in range where !"\r\n".utf8.contains(bytes[index]) {
                bytes[index] = UInt8(ascii: " ")
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the bytes of each `#sourceLocation` with its parentheses.
    ///
    /// The compiler accepts it in more places than the grammar has, so this reads only the tokens.
    private static func moves(in tree: SourceFileSyntax) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start: Int?
        var depth = 0
        for token in tree.tokens(viewMode: .sourceAccurate) {
            if let begin = start {
                if token.tokenKind == .leftParen { depth += 1 }
                if token.tokenKind == .rightParen { depth -= 1 }
                // Without parentheses, only the word is the range.
                let end = depth > 0 ? nil : token.endPositionBeforeTrailingTrivia.utf8Offset
                guard let end else { continue }
                if token.tokenKind == .rightParen { ranges.append(begin..<end) }
                start = nil
            }
            guard token.tokenKind == .poundSourceLocation else { continue }
            start = token.positionAfterSkippingLeadingTrivia.utf8Offset
            depth = 0
        }
        return ranges
    }
}
