@testable import conformance_ledger

extension TidyRule {
    /// A release build crashes where a task-local value is a closure, an optional or tuple of one.
    ///
    /// Swift 6.3 optimizes it wrongly, and the crash is in `swift_task_localValuePush`. A closure
    /// in a struct, an enum, an array or a dictionary is safe.
    static let taskLocalsAreNoClosures = TidyRule("no task-local value is a closure") { file in
        let names = sharedClosureNames.union(closureNames(in: file))
        return taskLocals(in: file).filter { isClosure($0.tokens, names) }.map {
            file.finding($0.line, "a release build crashes: put the closure into a struct")
        }
    }

    /// The names that any file gives to types of closures.
    private static let sharedClosureNames = Set(Checkout.swiftFiles.flatMap(closureNames))

    private static func closureNames(in file: SourceFile) -> [String] {
        let code = file.code
        return code.indices.dropLast(2).compactMap { index in
            guard code[index].isCode("typealias"), code[index + 1].isName,
                hasArrow(declaration(at: index, in: code))
            else { return nil }
            return code[index + 1].text
        }
    }

    /// Each `@TaskLocal` property, and each use of the type `TaskLocal`, with its tokens.
    private static func taskLocals(
        in file: SourceFile
    ) -> [(line: Int, tokens: ArraySlice<SwiftToken>)] {
        let code = file.code
        return code.indices.compactMap { index in
            guard code[index].isCode("TaskLocal") else { return nil }
            let start = code[index...].firstIndex { $0.isCode("var") || $0.isCode("<") } ?? index
            return (code[index].line, declaration(at: start, in: code))
        }
    }

    private static func isClosure(_ tokens: ArraySlice<SwiftToken>, _ names: Set<String>) -> Bool {
        hasArrow(tokens)
            || zip(tokens, tokens.dropFirst()).contains { $0.isCode("=") && $1.isCode("{") }
            || tokens.contains { $0.kind == .identifier && names.contains($0.text) }
    }

    private static func hasArrow(_ tokens: ArraySlice<SwiftToken>) -> Bool {
        zip(tokens, tokens.dropFirst()).contains { $0.isCode("-") && $1.isCode(">") }
    }

    private static let continuations: Set<String> = ["-", "=", ":", ">"]

    /// The tokens of a declaration: those of its line, and of the lines that continue it.
    private static func declaration(at start: Int, in code: [SwiftToken]) -> ArraySlice<SwiftToken>
    {
        var depth = 0
        var last = code[start]
        let end = code[start...].firstIndex { token in
            let isOpen =
                depth > 0 || continuations.contains(token.text)
                || continuations.contains(last.text)
            if token.line > last.line, !isOpen { return true }
            if token.isCode("(") || token.isCode("[") { depth += 1 }
            if token.isCode(")") || token.isCode("]") { depth -= 1 }
            last = token
            return false
        }
        return code[start..<(end ?? code.endIndex)]
    }
}
