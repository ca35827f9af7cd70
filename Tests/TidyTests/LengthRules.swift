@testable import conformance_ledger

extension TidyRule {
    /// Lines of at most 100 characters; a line that holds an address may be longer.
    static let lineLength = TidyRule("a line has at most 100 characters") { file in
        file.lines.enumerated().compactMap { number, line in
            guard line.utf8.count > 100, line.count > 100, !line.contains("://") else { return nil }
            return file.finding(number + 1, "the line has \(line.count) characters, limit 100")
        }
    }

    /// Files of at most 400 lines, ★ tables of at most 700.
    static let fileLength = TidyRule("a file has at most 400 lines, a ★ table 700") { file in
        let limit = file.isTable ? 700 : 400
        let count = file.lines.count - (file.text.hasSuffix("\n") ? 1 : 0)
        guard count > limit else { return [] }
        return [file.finding(count, "the file has \(count) lines, limit \(limit)")]
    }

    /// Functions of at most 60 lines, from the word that declares them to the closing brace.
    static let functionLength = TidyRule("a function has at most 60 lines") { file in
        let code = file.code
        return code.indices.compactMap { index in
            guard isFunction(at: index, in: code), let end = bodyEnd(of: index, in: code)
            else { return nil }
            let count = end - code[index].line + 1
            guard count > 60 else { return nil }
            let name = code[index].text + " " + code[index + 1].text
            return file.finding(code[index].line, "`\(name)` has \(count) lines, limit 60")
        }
    }

    private static let words: Set<String> = ["func", "init", "deinit", "subscript"]

    private static func isFunction(at index: Int, in code: [SwiftToken]) -> Bool {
        guard code[index].kind == .identifier, words.contains(code[index].text) else {
            return false
        }
        return index == 0 || !code[index - 1].isCode(".")
    }

    /// The line of the brace that closes the body, or nil for a requirement without a body.
    private static func bodyEnd(of start: Int, in code: [SwiftToken]) -> Int? {
        var parentheses = 0
        var braces = 0
        for token in code[(start + 1)...] {
            switch token.text {
            case _ where token.kind != .identifier && token.kind != .punctuation: continue
            case "(": parentheses += 1
            case ")": parentheses -= 1
            case "{" where parentheses == 0: braces += 1
            case "}" where parentheses == 0:
                braces -= 1
                if braces <= 0 { return braces == 0 ? token.line : nil }
            case "func", "var", "let", "init", "subscript", "typealias", "associatedtype":
                if braces == 0, parentheses == 0 { return nil }
            default: continue
            }
        }
        return nil
    }
}
