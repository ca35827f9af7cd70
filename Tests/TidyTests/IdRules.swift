import Foundation
import KeychainModel

@testable import conformance_ledger

/// The ids that the tables of `Documentation/Conformance` and of the diagnostic rules know.
private enum KnownIds {
    static let requirements: Set<String> = {
        let folder = Checkout.root.appending(path: "Documentation/Conformance")
        let table = try? RequirementTable(
            areas: String(contentsOf: folder.appending(path: "areas.tsv"), encoding: .utf8),
            rows: String(contentsOf: folder.appending(path: "requirements.tsv"), encoding: .utf8)
        )
        return Set(table?.rows.map(\.id) ?? [])
    }()

    /// Rules and contradictions.
    static let words: Set<String> = {
        let file = Checkout.root.appending(path: ContradictionTable.path)
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        let contradictions = (try? ContradictionTable(text))?.ids ?? []
        return contradictions.union(DiagnosticRule.allCases.map(\.rawValue))
    }()

    /// A look at the bytes, which spares most lines a slow search.
    private static func has(_ text: Substring, _ mark: Unicode.Scalar) -> Bool {
        text.utf8.contains(UInt8(ascii: mark))
    }

    /// The ids of requirements in a text; names of encodings look like them.
    static func requirements(in text: Substring) -> [String] {
        guard has(text, "-") else { return [] }
        return text.matches(of: /\b[A-Z][A-Z0-9]{2}-[0-9]{2}\b/).map { String($0.output) }
            .filter { !["UTF-16", "UTF-32"].contains($0) }
    }

    /// Ids that no table has any more: numbers of contradictions and defects.
    static func retired(in text: Substring) -> [String] {
        guard has(text, "-") || has(text, "R") else { return [] }
        return text.matches(of: /\b[CD]-[0-9]{2}\b|\bR[1-3](?= rows?\b| rules?\b)/)
            .map { String($0.output) }
    }

    /// Numbers of lint rules that the linter's catalogue lacks.
    static func unknownLintRules(in text: Substring) -> [String] {
        guard has(text, "K") else { return [] }
        return text.matches(of: /\b(?:KC[0-9]{3}|KX[0-9]{2})\b/).map { String($0.output) }
            .filter { !lintRules.contains($0) }
    }

    private static let lintRules: Set<String> = {
        let catalogue = Checkout.swiftFiles.filter {
            $0.path.hasPrefix("Tools/KeychainLint/Sources/LintRules/Catalogue+")
        }
        let ids = catalogue.flatMap(\.tokens).filter { $0.kind == .string }.map(\.text)
        return Set(ids.filter { $0.hasPrefix("KC") || $0.hasPrefix("KX") })
    }()

    /// The ids of words that a text cites.
    static func words(in text: Substring) -> [String] {
        guard has(text, "`") else { return [] }
        return text.matches(of: /\b(?:contradiction|finding) `([a-z]+(?:-[a-z]+)+)`/)
            .map { String($0.output.1) }
    }
}

extension TidyRule {
    /// Every id that a comment or document cites has a row.
    static let citedIdsExist = TidyRule("every id that is cited exists", readsEveryText: true) {
        file in
        file.prose.flatMap { line, text in
            let unknown =
                KnownIds.requirements(in: text).filter { !KnownIds.requirements.contains($0) }
                + KnownIds.words(in: text).filter { !KnownIds.words.contains($0) }
                + KnownIds.retired(in: text) + KnownIds.unknownLintRules(in: text)
            return unknown.map { file.finding(line, "no table has `\($0)`") }
        }
    }

    /// What a user reads names sources by title, never by the number of a requirement.
    static let readersSeeNoIds = TidyRule("users read no ids", readsEveryText: true) { file in
        (file.userDocument + file.userText).flatMap { line, text in
            let ids = KnownIds.requirements(in: text) + KnownIds.retired(in: text)
            return ids.map { file.finding(line, "`\($0)` means nothing to a user") }
        }
    }
}

extension SourceFile {
    fileprivate typealias Line = (number: Int, text: Substring)

    private var numbered: [Line] { lines.enumerated().map { ($0.offset + 1, $0.element) } }

    /// Comments of Swift files, and every line of the others.
    fileprivate var prose: [Line] {
        guard path.hasSuffix(".swift") else { return numbered }
        return tokens.filter { $0.kind == .comment }.map { ($0.line, Substring($0.text)) }
    }

    /// The lines of a document for users.
    fileprivate var userDocument: [Line] {
        let isDocument =
            ["README.md", "CHANGELOG.md", "SECURITY.md"].contains(path) || isBelow("Scripts")
            || isBelow("Documentation") && path.hasSuffix(".md")
        return isDocument && path != "Documentation/Conformance.md" ? numbered : []
    }

    /// The texts of a product's source that leave it: strings, and comments of what is public.
    fileprivate var userText: [Line] {
        guard isBelow("Sources"), path.hasSuffix(".swift") else { return [] }
        let strings = tokens.filter { $0.kind == .string }
        return (strings + PublicComments.all(in: tokens)).map { ($0.line, Substring($0.text)) }
    }
}

/// The documentation comments of public declarations.
private struct PublicComments {
    private var found: [SwiftToken] = []
    private var pending: [SwiftToken] = []
    private var isPublic = false
    /// Per open brace: whether members without a word of their own are public.
    private var scopes: [Bool] = []
    private var opensPublicScope = false

    private static let declarations: Set<String> = [
        "func", "var", "let", "init", "subscript", "struct", "class", "enum", "protocol",
        "extension", "typealias", "case", "actor", "associatedtype",
    ]
    private static let scoped: Set<String> = ["enum", "protocol", "extension"]

    static func all(in tokens: [SwiftToken]) -> [SwiftToken] {
        var reader = PublicComments()
        for token in tokens { reader.read(token) }
        return reader.found
    }

    private mutating func read(_ token: SwiftToken) {
        switch token.text {
        case let text where token.kind == .comment:
            if text.hasPrefix("///") { pending.append(token) }
        case _ where token.kind != .identifier && token.kind != .punctuation: break
        case "public", "open": isPublic = true
        case "{":
            scopes.append(opensPublicScope)
            opensPublicScope = false
        case "}":
            _ = scopes.popLast()
            pending = []
        case let word where Self.declarations.contains(word): declare(word)
        default: break
        }
    }

    private mutating func declare(_ word: String) {
        let isVisible = isPublic || (scopes.last ?? false)
        if isVisible { found += pending }
        opensPublicScope = isVisible && Self.scoped.contains(word)
        pending = []
        isPublic = false
    }
}
