import Foundation
import KeychainModel
import KeychainSimulator

/// A report about a served device, as text or as JSON.
protocol ServedReport: Encodable {
    /// The lines of text.
    var lines: [String] { get }
}

extension ServedReport {
    func text(asJSON: Bool) throws(KeychainError) -> String {
        guard asJSON else { return lines.map { $0 + "\n" }.joined() }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
        } catch {
            throw KeychainError(.internal, "the report cannot be written as JSON")
        }
    }
}

/// The current state of a served device.
struct DeviceReport: ServedReport {
    /// The facts that the device does not store.
    struct Facts {
        let seconds: Double
        let hasPasscode: Bool
        let apps: [App]
    }

    struct App: Encodable {
        let name: String
        let execution: String
    }

    struct User: Encodable {
        let biometric: String?
        let cancels: Bool
        let companion: Bool
    }

    let name: String
    let system: String
    let behavior: String
    let state: String
    let hasPasscode: Bool
    let classKeys: [String]
    let user: User
    let apps: [App]
    let prompts: Int
    let findings: Int
    let seconds: Double

    init(of served: ServedDevice, _ behavior: Scenario.BehaviorName, _ facts: Facts) {
        let device = served.device
        let person = device.user
        name = served.name
        system = device.system.description
        self.behavior = behavior.rawValue
        state = device.state.name
        hasPasscode = facts.hasPasscode
        classKeys = device.openClasses.map(\.suffix)
        user = User(
            biometric: person.biometric,
            cancels: person.cancels,
            companion: person.hasCompanion
        )
        apps = facts.apps
        prompts = device.prompts.count
        findings = device.findings.count
        seconds = facts.seconds
    }

    var lines: [String] {
        let installed = apps.map { "\($0.name) (\($0.execution))" }
        return [
            "device:    \(name), \(system), \(behavior)",
            "state:     \(state), \(hasPasscode ? "with a passcode" : "without a passcode")",
            "keys:      \(classKeys.isEmpty ? "none" : classKeys.joined(separator: ", "))",
            "user:      \(personWords)",
            "apps:      \(installed.isEmpty ? "none" : installed.joined(separator: ", "))",
            "time:      \(seconds.seconds)",
            "prompts:   \(prompts)",
            "findings:  \(findings)",
        ]
    }

    private var personWords: String {
        guard !user.cancels else { return "cancels every prompt" }
        let presented = user.biometric.map { "presents \($0)" } ?? "presents nothing"
        return user.companion ? presented + ", confirms on a paired device" : presented
    }
}

/// The prompts of a served device, oldest first.
struct PromptReport: ServedReport {
    struct Row: Encodable {
        let kind: String
        let app: String
        let reason: String?
        let answer: String
    }

    let rows: [Row]

    init(_ device: SimulatedDevice) {
        rows = device.prompts.map { prompt in
            let facts = ScenarioStep.PromptFacts(prompt, on: device)
            return Row(
                kind: facts.kind,
                app: prompt.app,
                reason: prompt.reason,
                answer: facts.answer
            )
        }
    }

    func encode(to encoder: any Encoder) throws { try rows.encode(to: encoder) }

    var lines: [String] {
        rows.map { row in
            let reason = row.reason.map { " \"\($0)\"" } ?? ""
            return "\(row.kind)  \(row.app)\(reason): \(row.answer)"
        }
    }
}

/// The findings of a served device, oldest first.
struct FindingReport: ServedReport {
    struct Row: Encodable {
        let rule, verb, item, sentence: String
        let status: Int32
    }

    let rows: [Row]
    let lines: [String]

    init(_ findings: [Finding]) {
        rows = findings.map { finding in
            Row(
                rule: finding.rule,
                verb: finding.verb.rawValue,
                item: finding.item,
                sentence: finding.sentence,
                status: finding.status
            )
        }
        lines = findings.map(\.description)
    }

    func encode(to encoder: any Encoder) throws { try rows.encode(to: encoder) }
}
