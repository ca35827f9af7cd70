@testable import conformance_ledger

extension TidyRule {
    /// `try` never traps.
    static let noForcedTry = TidyRule("no try!") { file in
        // `try !f()` negates what `f` returns; only the two together trap.
        pairs("try", "!", in: file).filter { file.lines[$0 - 1].contains("try!") }
            .map { file.finding($0, "`try!` traps: throw or handle") }
    }

    /// A cast in shipped code never traps; client code in tests may be written as clients write it.
    static let noForcedCast = TidyRule("no as! outside tests") { file in
        guard !file.isBelow("Tests") else { return [] }
        return pairs("as", "!", in: file).map { file.finding($0, "`as!` traps: use `as?`") }
    }

    /// Input gets an error, never the end of the process.
    static let noFatalError = TidyRule("no fatalError") { file in
        pairs("fatalError", "(", in: file).map {
            file.finding($0, "`fatalError` ends the process: throw an error")
        }
    }

    /// Work is finished or not begun.
    static let noUnfinishedWork = TidyRule("no comment leaves work undone") { file in
        // Put together here, so that this file keeps its own rule.
        let marks: Set<String> = ["TO" + "DO", "FIX" + "ME", "XX" + "X"]
        return file.tokens.filter { $0.kind == .comment }.compactMap { comment in
            let words = comment.text.split { !$0.isLetter }.map(String.init)
            guard let mark = words.first(where: marks.contains) else { return nil }
            return file.finding(comment.line, "`\(mark)`: finish the work")
        }
    }

    /// `@unchecked Sendable` carries its proof in the comment above it.
    static let arguedSendable = TidyRule("@unchecked Sendable is argued") { file in
        zip(file.code, file.code.dropFirst()).compactMap { word, next in
            guard word.isCode("unchecked"), next.isCode("Sendable"),
                !comment(above: word.line, in: file).contains("`@unchecked Sendable`")
            else { return nil }
            let rule = "the doc comment above does not say why `@unchecked Sendable` is sound"
            return file.finding(word.line, rule)
        }
    }

    /// The doc comment that ends above a line, attributes between them left out.
    private static func comment(above line: Int, in file: SourceFile) -> String {
        file.lines.prefix(line - 1).reversed()
            .map { String($0.drop(while: \.isWhitespace)) }
            .drop { $0.hasPrefix("@") }
            .prefix { $0.hasPrefix("///") }
            .joined(separator: "\n")
    }

    private static func pairs(_ first: String, _ second: String, in file: SourceFile) -> [Int] {
        zip(file.code, file.code.dropFirst())
            .filter { $0.isCode(first) && $1.isCode(second) }
            .map(\.0.line)
    }
}
