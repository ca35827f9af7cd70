import Foundation

/// The command line for the ledger of the checkout in the current directory.
struct LedgerCommand {
    static let usage = """
        usage: conformance-ledger write [PAGE...]
               conformance-ledger write --run WORDS RESULTS
               conformance-ledger check | count
               conformance-ledger verify RESULTS [--tolerant]

          write   write the pages Conformance, Contradictions and Diagnostics in Documentation, and
                  the count in README.md; or only the pages that you name. With --run, the rows that
                  the results prove count from now on; WORDS say which run it was
          check   fail when a page is out of date or a test names an unknown id
          count   print how many rows are proven
          verify  fail when a claimed row is not proven by the results, or when they try a row with
                  fewer cases than the run of the pages. With --tolerant, tests that passed only
                  when they ran again count, and fewer cases are a note

        RESULTS: --results FILE... [--again FILE...] [--endpoint NAME FILE...]
          FILE is what `swift test --event-stream-output-path FILE --event-stream-version 0` wrote.
          Files after --again are of tests that failed, and ran once more: these prove nothing.
          Files after --endpoint are of the conformance tests at another endpoint.
        """

    let arguments: [String]

    /// Runs the command and returns the exit status: 0; 1 if there are problems; 2 for wrong usage.
    func run() -> Int32 {
        do {
            return try perform()
        } catch {
            return report([error])
        }
    }

    private func perform() throws(LedgerProblem) -> Int32 {
        let root = URL(filePath: FileManager.default.currentDirectoryPath)
        let ledger = try Ledger(root: root)
        switch arguments {
        case ["write"]:
            try ledger.write()
            return report(ledger.check())
        case let words where words.starts(with: ["write", "--run"]) && words.count > 3:
            return try write(words[2], words.dropFirst(3), root)
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
        case let words where words.first == "verify":
            guard let run = try RunWords(words.dropFirst()) else {
                return complain(Self.usage, status: 2)
            }
            let judgement = run.judgement(of: ledger.claims)
            let lostCases = judgement.lostCases(since: ledger.run)
            if run.isTolerant {
                for loss in lostCases { _ = complain("note: \(loss)", status: 0) }
            }
            return report(
                run.failures + judgement.weaknesses + judgement.lostRows(since: ledger.run)
                    + (run.isTolerant ? [] : lostCases)
            )
        default:
            return complain(Self.usage, status: 2)
        }
    }

    /// Writes the pages from the results of a run, unless a test failed in it.
    private func write(
        _ description: String,
        _ words: ArraySlice<String>,
        _ root: URL
    ) throws(LedgerProblem) -> Int32 {
        guard let run = try RunWords(words), !run.isTolerant else {
            return complain(Self.usage, status: 2)
        }
        guard run.failures.isEmpty else { return report(run.failures) }
        let judgement = run.judgement(of: try Ledger(root: root).claims)
        let rows = Set(try Ledger(root: root).table.rows.map(\.id))
        let proven = ProvenRun(
            description: description,
            caseCounts: judgement.caseCounts.filter { rows.contains($0.key) }
        )
        let ledger = try Ledger(root: root, run: proven)
        try ledger.writeRun()
        try ledger.write()
        for weakness in judgement.weaknesses { _ = complain("note: \(weakness)", status: 0) }
        return report(ledger.check())
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
