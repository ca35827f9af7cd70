@testable import conformance_ledger

extension TidyRule {
    /// SQL is written in the store alone.
    static let sqlStaysInStore = TidyRule("SQL is written in Store/ only") { file in
        // Another database has its statements in one file, too.
        guard file.isBelow("Sources"), !file.isBelow("Sources/KeychainEngine/Store"),
            file.path != "Sources/PostgreSQLRelay/Statements.swift"
        else { return [] }
        return file.tokens.filter { $0.kind == .string && isSQL($0.text) }.map {
            file.finding($0.line, "SQL is written outside Sources/KeychainEngine/Store")
        }
    }

    private static func isSQL(_ text: String) -> Bool {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        let pairs = zip(words, words.dropFirst()).map { "\($0) \($1)" }
        let statements: Set<String> = [
            "INSERT INTO", "INSERT OR", "DELETE FROM", "CREATE TABLE", "CREATE INDEX",
        ]
        return !statements.isDisjoint(with: pairs)
            || (words.contains("SELECT") && words.contains("FROM"))
            || (words.contains("UPDATE") && words.contains("SET"))
    }

    /// A type is named for what it is.
    static let noVagueTypeNames = TidyRule("no type is a Manager, Helper or Utils") { file in
        let words: Set<String> = ["struct", "class", "enum", "actor", "protocol", "typealias"]
        let endings = ["Manager", "Helper", "Helpers", "Utils", "Utilities"]
        return zip(file.code, file.code.dropFirst()).compactMap { word, name in
            guard word.kind == .identifier, words.contains(word.text), name.kind == .identifier,
                endings.contains(where: name.text.hasSuffix)
            else { return nil }
            return file.finding(name.line, "`\(name.text)` does not say what it is")
        }
    }

    /// The repository names no folder of the machine it was written on.
    static let noMachinePaths = TidyRule("no path of a machine", readsEveryText: true) { file in
        // Put together here, so that this file keeps its own rule.
        let paths = ["work", "home"].map { "/\($0)/" }
        return file.lines.enumerated().flatMap { number, line in
            paths.filter { line.contains($0) }.map {
                file.finding(number + 1, "`\($0)` is a path of some machine")
            }
        }
    }
}
