import Foundation

/// The results that a command line names:
/// `--results FILE… [--again FILE…] [--endpoint NAME FILE…]`,
/// and whether reruns count (`--tolerant`).
struct RunWords {
    private let results: TestResults
    private let endpoints: [(name: String, results: TestResults)]
    /// Whether a test counts that passed only when it ran again.
    let isTolerant: Bool

    /// Reads the files.
    ///
    /// - Returns: nil for any other word, or for an empty list of files.
    /// - Throws: `LedgerProblem` for a file that is unreadable or incomplete.
    init?(_ words: ArraySlice<String>) throws(LedgerProblem) {
        var files: [(option: String, words: [String])] = []
        for word in words {
            if word.hasPrefix("--") {
                files.append((word, []))
            } else {
                guard !files.isEmpty else { return nil }
                files[files.count - 1].words.append(word)
            }
        }
        var first: TestResults?
        var again: TestResults?
        var isTolerant = false
        var others: [(name: String, results: TestResults)] = []
        for (option, words) in files {
            switch option {
            case "--results" where first == nil: first = try Self.read(words)
            case "--again" where again == nil: again = try Self.read(words)
            case "--endpoint":
                guard let name = words.first, let read = try Self.read(Array(words.dropFirst()))
                else { return nil }
                others.append((name, read))
            case "--tolerant" where words.isEmpty: isTolerant = true
            default: return nil
            }
        }
        guard let first else { return nil }
        results = again.map(first.replacing) ?? first
        endpoints = others
        self.isTolerant = isTolerant
    }

    private static func read(_ files: [String]) throws(LedgerProblem) -> TestResults? {
        guard !files.isEmpty else { return nil }
        var texts: [String] = []
        for file in files {
            guard let text = try? String(contentsOf: URL(filePath: file), encoding: .utf8) else {
                throw LedgerProblem(file, "cannot be read")
            }
            texts.append(text)
        }
        return try TestResults(events: texts)
    }

    /// The tests that failed, at any endpoint.
    var failures: [LedgerProblem] {
        let all = [(name: "", results: results)] + endpoints
        return all.flatMap { endpoint in
            endpoint.results.failures.map { test in
                let place = endpoint.name.isEmpty ? "" : " at the endpoint \(endpoint.name)"
                return LedgerProblem("results", "\(test) failed\(place)")
            }
        }
    }

    func judgement(of claims: [TestClaim]) -> RunJudgement {
        RunJudgement(
            claims: claims,
            results: results,
            endpoints: endpoints,
            toleratesReruns: isTolerant
        )
    }
}
