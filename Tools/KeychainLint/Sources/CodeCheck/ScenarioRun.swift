import Foundation

/// What became of an item at one moment of a scenario.
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
    /// Rules of the linter about code in the background that reads the item.
    var backgroundRules: [String] = []
    /// Why the scenarios did not run; nil if they did.
    var problem: String?

    /// Whether code in the background reads the item and gets nothing.
    var isRefusedInBackground: Bool {
        !backgroundRules.isEmpty
            && outcomes.contains { $0.scenario == "background" && $0.kind == .refused }
    }
}

/// Replays adds on simulated devices, by the command `keychainctl simulate`.
struct ScenarioRun {
    let simulate: URL

    func report(on item: CheckedItem) throws -> ItemReport {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "keychain-lint-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var words = ["--json"]
        for plan in ScenarioPlan.all {
            let file = folder.appending(path: plan.name + ".json")
            try plan.document(for: item).write(to: file)
            words.append(file.path)
        }
        let outcome = try Program.run(simulate, words)
        var report = ItemReport(item: item)
        guard
            let list = try? JSONSerialization.jsonObject(with: outcome.output) as? [[String: Any]],
            list.count == ScenarioPlan.all.count
        else {
            let lines = String(decoding: outcome.errors, as: UTF8.self).split(separator: "\n")
            report.problem = lines.first.map(String.init) ?? "the simulator wrote no report"
            return report
        }
        for (plan, run) in zip(ScenarioPlan.all, list) {
            let runs = run["runs"] as? [[String: Any]] ?? []
            let steps = runs.first?["steps"] as? [[String: Any]] ?? []
            for step in steps { add(step, of: plan, to: &report) }
        }
        return report
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

/// Another program, run to its end.
enum Program {
    struct Outcome {
        let status: Int32
        let output: Data
        let errors: Data
    }

    /// Runs a program; what it writes goes through files, so that no pipe fills up.
    static func run(_ program: URL, _ words: [String]) throws -> Outcome {
        let folder = FileManager.default.temporaryDirectory
        let files = ["output", "errors"].map {
            folder.appending(path: "keychain-lint-\($0)-\(UUID().uuidString)")
        }
        defer { for file in files { try? FileManager.default.removeItem(at: file) } }
        for file in files { try Data().write(to: file) }
        let process = Process()
        process.executableURL = program
        process.arguments = words
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        try process.run()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus,
            output: try Data(contentsOf: files[0]),
            errors: try Data(contentsOf: files[1])
        )
    }

    /// A program of `PATH`.
    static func named(_ name: String) -> URL? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").map { URL(filePath: "\($0)/\(name)") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}
