import Foundation

/// The command line around the ledger of the checkout in the current directory.
struct LedgerCommand {
    static let usage = """
        usage: conformance-ledger write [PAGE...] | check | count | verify --results FILE...
                                  [--again FILE]

          write   write the pages Conformance, Contradictions and Diagnostics in Documentation, and
                  the count in README.md; or only the pages that you name
          check   fail when one is out of date or a test names an unknown id
          count   print how many rows are proven
          verify  fail when a row rests on a test that did not run or did not pass;
                  FILE is the …-swift-testing.xml of `swift test --xunit-output`, one per package;
                  that after --again is of tests that failed, and were run once more
        """

    let arguments: [String]

    /// Runs the command and returns the exit status: 0, 1 for problems, 2 for wrong usage.
    func run() -> Int32 {
        do {
            return try perform()
        } catch {
            return report([error])
        }
    }

    private func perform() throws(LedgerProblem) -> Int32 {
        let ledger = try Ledger(root: URL(filePath: FileManager.default.currentDirectoryPath))
        switch arguments {
        case ["write"]:
            try ledger.write()
            return report(ledger.check())
        case let words where words.first == "write":
            let pages = words.dropFirst().compactMap(Ledger.Page.init(rawValue:))
            guard pages.count == words.count - 1 else { return complain(Self.usage, status: 2) }
            try ledger.write(pages)
            return 0
        case ["check"]:
            return report(ledger.check())
        case ["count"]:
            print(ledger.count)
            return 0
        case let words where words.count > 2 && words.starts(with: ["verify", "--results"]):
            return report(ledger.unproven(by: try allResults(in: words.dropFirst(2))))
        default:
            return complain(Self.usage, status: 2)
        }
    }

    /// The results of files, and of those after `--again`, which replace them.
    private func allResults(
        in words: ArraySlice<String>
    ) throws(LedgerProblem) -> TestResults {
        let parts = words.split(separator: "--again", omittingEmptySubsequences: false)
        let first = try results(in: parts[0])
        return parts.count == 1 ? first : first.replacing(try results(in: parts[1]))
    }

    private func results(
        in files: ArraySlice<String>
    ) throws(LedgerProblem) -> TestResults {
        var texts: [String] = []
        for file in files {
            guard let text = try? String(contentsOf: URL(filePath: file), encoding: .utf8) else {
                throw LedgerProblem(file, "cannot be read")
            }
            texts.append(text)
        }
        return try TestResults(xunit: texts)
    }

    private func report(_ problems: [LedgerProblem]) -> Int32 {
        guard !problems.isEmpty else { return 0 }
        return complain(problems.map(\.description).joined(separator: "\n"), status: 1)
    }

    private func complain(_ text: String, status: Int32) -> Int32 {
        FileHandle.standardError.write(Data((text + "\n").utf8))
        return status
    }
}
