import KeychainModel

@testable import conformance_ledger

// How tests are written, so that one reads them as the specification.

extension TidyRule {
    /// A test that is not about the spelling of a name uses the name of the product's constant.
    static let testsNameAttributes = TidyRule("tests name attributes and classes") { file in
        guard file.isBelow("Tests"), !spellingTables.contains(file.path) else { return [] }
        let names = file.isBelow(queryTests) ? spelled : spelled.subtracting(ordinaryWords)
        return file.code.filter { $0.kind == .string && names.contains($0.text) }.map {
            file.finding($0.line, "\"\($0.text)\" has a name in Tests/ModelTestSupport")
        }
    }

    /// Rows of truth values, and of literals among which is one or `nil`, say what each one is.
    static let rowsHaveLabels = TidyRule("literals side by side have labels") { file in
        guard file.isBelow("Tests") else { return [] }
        return unlabelledRows(in: file.code).map {
            file.finding($0, "label these literals, or name what they stand for")
        }
    }
}

/// The targets whose tests write queries.
private let queryTests = [
    "Tests/ConformanceTests", "Tests/DataProtectionTests", "Tests/EngineTestSupport",
    "Tests/KeychainEngineTests", "Tests/KeychainHostTests", "Tests/KeychainModelTests",
    "Tests/KeychainPromptsTests",
]

/// ★ The files that are about spelling: names as letters, and bytes of formats.
private let spellingTables: Set<String> = [
    "Tests/ConformanceTests/Availability/AccessibilityOrderTests.swift",
    "Tests/ConformanceTests/Support/Accessibility.swift",
    "Tests/ConformanceTests/Surface/ConstantRow.swift",
    "Tests/ConformanceTests/Surface/ConstantTests.swift",
    "Tests/ConformanceTests/Surface/DeprecatedNames.swift",
    "Tests/KeychainCommandTests/OutputTests.swift",
    "Tests/KeychainEngineTests/Backup/BackupFormatTests.swift",
    "Tests/KeychainModelTests/Items/PersistentReferenceTests.swift",
    "Tests/KeychainModelTests/Items/SchemaRow.swift",
    "Tests/KeychainModelTests/Protection/ProtectionClassTests.swift",
    "Tests/KeychainModelTests/Query/KeyGrammarTests.swift",
]

/// Every name that a query dictionary can hold, but for those that are English or mean more.
private let spelled: Set<String> = {
    var names = Set(Schema.rows.map(\.attribute.rawValue))
    names.formUnion(ItemClass.allCases.map(\.rawValue))
    names.formUnion(ProtectionClass.table.map(\.code))
    names.formUnion(QueryKey.table.map(\.key.rawValue))
    names.formUnion([
        QueryKey.Word.limitOne, QueryKey.Word.limitAll, QueryKey.Word.synchronizableAny,
        QueryKey.Word.interfaceAllow, QueryKey.Word.interfaceFail, QueryKey.Word.interfaceSkip,
    ])
    return names.subtracting(["sha1", "sign"])
}()

/// Names of attributes and classes that other formats use as well.
private let ordinaryWords: Set = ["cert", "class", "keys", "path", "port", "sync", "type"]

/// Literals without labels, one after the other.
private struct LiteralRun {
    private var truthCount = 0
    private var count = 0
    private var hasTruthOrNil = false

    /// Takes the next token into account.
    ///
    /// - Returns: Whether the token makes a row of what came before it.
    mutating func isRow(with token: SwiftToken, isLabelled: Bool, inParentheses: Bool) -> Bool {
        if token.isCode(",") || token.isCode("-") { return false }
        let isTruth = token.isCode("true") || token.isCode("false")
        let isNil = token.isCode("nil")
        let isNumber = token.kind == .identifier && token.text.first?.isNumber == true
        guard !isLabelled, isTruth || isNil || isNumber else {
            self = LiteralRun()
            return false
        }
        truthCount = isTruth ? truthCount + 1 : 0
        count += 1
        hasTruthOrNil = hasTruthOrNil || isTruth || isNil
        guard inParentheses else { return truthCount == 3 }
        return truthCount == 2 || truthCount < 2 && count == 3 && hasTruthOrNil
    }
}

/// The lines of two truth values side by side in parentheses, of three literals there among which
/// is a truth value or `nil`, and of three truth values in a list.
private func unlabelledRows(in code: [SwiftToken]) -> [Int] {
    var open: [String] = []
    var run = LiteralRun()
    var lines: [Int] = []
    for (index, token) in code.enumerated() {
        if ["(", "[", "{"].contains(where: token.isCode) { open.append(token.text) }
        if [")", "]", "}"].contains(where: token.isCode) { _ = open.popLast() }
        let isRow = run.isRow(
            with: token,
            isLabelled: index > 0 && code[index - 1].isCode(":"),
            inParentheses: open.last == "("
        )
        if isRow { lines.append(token.line) }
    }
    return lines
}

/// How many loops stand in tests: a case of a rule is an argument, and a loop sets up or retries.
enum TestLoops {
    /// Lower it with the loops.
    static let limit = 220

    static func count(in files: [SourceFile]) -> Int {
        files.filter { $0.isBelow("Tests") }.flatMap(TestedFunction.all).filter(\.isTest)
            .reduce(0) { $0 + $1.loopCount }
    }
}
