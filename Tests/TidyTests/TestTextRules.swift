import KeychainModel

@testable import conformance_ledger

// How tests are written, so that one reads them as the specification.

extension TidyRule {
    /// A test that is not about the spelling of a name uses the name of the product's constant.
    static let testsNameAttributes = TidyRule("tests name attributes and classes") { file in
        guard file.isBelow(queryTests), !spellingTables.contains(file.path) else { return [] }
        return file.code.filter { $0.kind == .string && spelled.contains($0.text) }.map {
            file.finding($0.line, "\"\($0.text)\" has a name in Tests/ModelTestSupport")
        }
    }

    /// Rows of truth values say of what each one is true.
    static let rowsHaveLabels = TidyRule("truth values side by side have labels") { file in
        guard file.isBelow("Tests") else { return [] }
        return unlabelledRows(in: file.code).map {
            file.finding($0, "label these truth values, or name what is true")
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
    "Tests/KeychainEngineTests/Backup/BackupFormatTests.swift",
    // Names a figure of the torture tool.
    "Tests/KeychainEngineTests/Reliability/FaultTests.swift",
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

/// The lines of two truth values side by side in parentheses, and of three in a list.
private func unlabelledRows(in code: [SwiftToken]) -> [Int] {
    var open: [String] = []
    var run = 0
    var lines: [Int] = []
    for (index, token) in code.enumerated() {
        if ["(", "[", "{"].contains(where: token.isCode) { open.append(token.text) }
        if [")", "]", "}"].contains(where: token.isCode) { _ = open.popLast() }
        guard token.isCode("true") || token.isCode("false") else {
            if !token.isCode(",") { run = 0 }
            continue
        }
        let isPositional = index > 0 && !code[index - 1].isCode(":")
        run = isPositional ? run + 1 : 0
        if run == (open.last == "(" ? 2 : 3) { lines.append(token.line) }
    }
    return lines
}

/// How many loops stand in tests: a case of a rule is an argument, and a loop sets up or retries.
enum TestLoops {
    /// Lower it with the loops.
    static let limit = 270

    static func count(in files: [SourceFile]) -> Int {
        files.filter { $0.isBelow("Tests") }.flatMap(TestedFunction.all).filter(\.isTest)
            .reduce(0) { $0 + $1.loopCount }
    }
}
