import Foundation

/// The cases of an enum as its source has them: a table must not lack one.
enum EnumSource {
    private static let text = Result {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
        let folders = ["CallerEvidence", "KeychainMessages", "KeychainModel", "KeychainWire"]
        return try folders.flatMap { folder in
            let path = root.appending(path: folder).path
            return try FileManager.default.subpathsOfDirectory(atPath: path)
                .filter { $0.hasSuffix(".swift") }
                .map { try String(contentsOfFile: path + "/" + $0, encoding: .utf8) }
        }
        .joined(separator: "\n")
    }

    /// The names of the cases of each enum of that name, as several types have an `Outcome`.
    static func cases(of type: String) -> [Set<String>] {
        guard let lines = try? text.get().split(separator: "\n", omittingEmptySubsequences: false)
        else { return [] }
        return lines.indices.filter { lines[$0].contains("enum \(type):") }
            .map { cases(in: lines[$0...]) }
    }

    /// The cases of the enum that begins with the first of the lines.
    private static func cases(in lines: ArraySlice<Substring>) -> Set<String> {
        guard let start = lines.first else { return [] }
        if start.hasSuffix(" }"), let row = start.firstRange(of: "{ case ") {
            return Set(names(in: start[row.upperBound...]))
        }
        let indentation = start.prefix { $0 == " " }
        let body = lines.dropFirst().prefix { $0 != indentation + "}" }
        let rows = body.filter { $0.hasPrefix(indentation + "    case ") }
        return Set(rows.flatMap { names(in: $0.drop { $0 == " " }.dropFirst("case ".count)) })
    }

    private static func names(in row: Substring) -> [String] {
        guard !row.contains("(") else { return [String(row.prefix { $0 != "(" })] }
        return row.split(separator: ",").map { name in
            String(name.drop { $0 == " " }.prefix { $0.isLetter || $0.isNumber })
        }
    }
}
