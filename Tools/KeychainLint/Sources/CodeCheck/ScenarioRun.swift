import Foundation

/// The state of an item at one moment of a scenario.
package struct ItemOutcome: Sendable {
    package enum Kind: String, Sendable { case readable, asks, refused, gone }

    let scenario: String
    let moment: String
    let kind: Kind
    let status: Int
    let statusName: String
}

/// The scenarios of one item.
package struct ItemReport: Sendable {
    let item: CheckedItem
    /// The status of the add, if the keychain refused it.
    var refusedAdd: String?
    var outcomes: [ItemOutcome] = []
    /// The linter's rules about code in the background that reads the item.
    var backgroundRules: [String] = []
    /// The reason why the scenarios did not run; nil if they did.
    var problem: String?

    /// Whether code in the background reads the item, and is refused.
    var isRefusedInBackground: Bool {
        !backgroundRules.isEmpty
            && outcomes.contains { $0.scenario == "background" && $0.kind == .refused }
    }
}

/// A replay of adds on simulated devices, with the command `keychainctl simulate`.
struct ScenarioRun {
    let simulate: URL
    /// The time limit of one scenario.
    let seconds: Int

    func report(on item: CheckedItem) throws -> ItemReport {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "keychain-lint-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var report = ItemReport(item: item)
        for plan in ScenarioPlan.all {
            let file = folder.appending(path: plan.name + ".json")
            try plan.document(for: item).write(to: file)
            try run(plan, file, &report)
            guard report.problem == nil else { break }
        }
        return report
    }

    /// Runs one scenario in a separate process, so that it has a time limit and a name.
    private func run(_ plan: ScenarioPlan, _ file: URL, _ report: inout ItemReport) throws {
        let outcome = try Program(simulate, ["--json", file.path], seconds: seconds).run()
        if let ending = outcome.ending {
            report.problem = "the scenario \(plan.name) \(ending)"
            return
        }
        guard
            let list = try? JSONSerialization.jsonObject(with: outcome.output) as? [[String: Any]],
            let run = list.first, list.count == 1
        else {
            let lines = String(decoding: outcome.errors, as: UTF8.self).split(separator: "\n")
            report.problem = lines.first.map(String.init) ?? "the simulator wrote no report"
            return
        }
        let runs = run["runs"] as? [[String: Any]] ?? []
        let steps = runs.first?["steps"] as? [[String: Any]] ?? []
        for step in steps { add(step, of: plan, to: &report) }
    }

    private func add(_ step: [String: Any], of plan: ScenarioPlan, to report: inout ItemReport) {
        let observed = step["observed"] as? [String: Any] ?? [:]
        let status = observed["code"] as? Int ?? 0
        let name = observed["name"] as? String ?? "\(status)"
        switch step["verb"] as? String {
        case "add": if status != 0 { report.refusedAdd = "\(name) (\(status))" }
        case "read":
            let prompts = step["prompts"] as? [Any] ?? []
            let kind: ItemOutcome.Kind =
                switch status {
                case 0: prompts.isEmpty ? .readable : .asks
                case -25300: .gone
                default: .refused
                }
            report.outcomes.append(
                ItemOutcome(
                    scenario: plan.name,
                    moment: step["event"] as? String ?? "",
                    kind: kind,
                    status: status,
                    statusName: name
                )
            )
        default: break
        }
    }
}
