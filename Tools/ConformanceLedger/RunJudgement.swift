/// The rows of the ledger that the results of one run prove.
///
/// A row is proven if every test that claims it passed at the first try, with every case and at
/// every endpoint, and without an expected failure.
struct RunJudgement {
    /// The module whose tests run again at other endpoints.
    private static let endpointModule = "ConformanceTests"

    /// The number of cases that proved each row.
    let caseCounts: [String: Int]
    /// The reasons why claimed rows are not proven, by place.
    let weaknesses: [LedgerProblem]

    /// Judges the claims of the tests.
    ///
    /// - Parameters:
    ///   - claims: All claims of the checkout.
    ///   - results: The results of the run.
    ///   - endpoints: The results of the conformance tests at each further endpoint.
    ///   - toleratesReruns: Whether a test counts that passed only when it ran again.
    init(
        claims: [TestClaim],
        results: TestResults,
        endpoints: [(name: String, results: TestResults)] = [],
        toleratesReruns: Bool = false
    ) {
        var counts: [String: Int] = [:]
        var weak: Set<String> = []
        var problems: [LedgerProblem] = []
        for claim in claims {
            let record = results.record(of: claim)
            let isTolerated = toleratesReruns && record?.outcome == .rerun
            var weakness = isTolerated ? nil : Self.weakness(of: record)
            for endpoint in endpoints where claim.module == Self.endpointModule {
                guard weakness == nil else { break }
                weakness = Self.weakness(of: endpoint.results.record(of: claim))
                    .map { "\($0) at the endpoint \(endpoint.name)" }
            }
            for id in Set(claim.ids) { counts[id, default: 0] += record?.caseCount ?? 0 }
            guard let weakness else { continue }
            weak.formUnion(claim.ids)
            let ids = claim.ids.joined(separator: ", ")
            let sentence = "\(ids) rests on \"\(claim.sentence)\", which \(weakness)"
            problems.append(LedgerProblem(claim.place, sentence))
        }
        caseCounts = counts.filter { !weak.contains($0.key) }
        weaknesses = problems
    }

    private static func weakness(of record: TestResults.Record?) -> String? {
        guard let record else { return "did not run" }
        guard record.outcome == .passed else { return record.outcome.words }
        return record.caseCount > 0 ? nil : "had no case"
    }

    /// Returns the rows that an earlier run proved and this one does not.
    func lostRows(since run: ProvenRun) -> [LedgerProblem] {
        run.caseCounts.keys.filter { caseCounts[$0] == nil }.sorted().map { id in
            LedgerProblem(ProvenRun.path, "\(id) is not proven by this run")
        }
    }

    /// Returns the rows that this run tried with fewer cases than an earlier one.
    ///
    /// This happens, for instance, if a tool is not installed.
    func lostCases(since run: ProvenRun) -> [LedgerProblem] {
        run.caseCounts.sorted { $0.key < $1.key }.compactMap { id, earlier in
            guard let now = caseCounts[id], now < earlier else { return nil }
            let reason = "\(id) was tried with \(now) cases instead of \(earlier)"
            return LedgerProblem(ProvenRun.path, reason)
        }
    }
}
