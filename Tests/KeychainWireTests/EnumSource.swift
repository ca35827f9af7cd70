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

    /// The names of the cases; none where there is no such enum.
    static func cases(of type: String) -> Set<String> {
        guard let lines = try? text.get().split(separator: "\n", omittingEmptySubsequences: false),
            let start = lines.firstIndex(where: { $0.contains("enum \(type):") })
        else { return [] }
        if lines[start].hasSuffix(" }"), let row = lines[start].firstRange(of: "{ case ") {
            return Set(names(in: lines[start][row.upperBound...]))
        }
        let indentation = lines[start].prefix { $0 == " " }
        let body = lines[(start + 1)...].prefix { $0 != indentation + "}" }
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
