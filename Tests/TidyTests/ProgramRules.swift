@testable import conformance_ledger

extension TidyRule {
    /// A program that a person installs forbids that its memory is dumped, before anything else.
    static let programsForbidDumps = TidyRule("a program first forbids dumps") { file in
        guard file.isBelow("Sources"), file.path.hasSuffix("/main.swift") else { return [] }
        let first = file.lines.enumerated().first { _, line in isStatement(line) }
        guard let (index, line) = first else { return [] }
        let isKept = line == "CoreDump.exclude()" || line == "_ = process_keep_memory()"
        return isKept ? [] : [file.finding(index + 1, "`CoreDump.exclude()` comes first")]
    }

    private static func isStatement(_ line: Substring) -> Bool {
        !line.isEmpty && !line.hasPrefix("//") && !line.hasPrefix("import ")
    }
}
