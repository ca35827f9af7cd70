// The results of running a scenario file. Documentation/Spec/scenario.md §7 describes their JSON.

/// All results of one scenario file.
package struct ScenarioReport: Sendable, Codable, Hashable {
    package let title: String
    /// The file, as the user named it.
    package let file: String
    /// Whether every expectation holds.
    package let holds: Bool
    package let runs: [ScenarioRun]
}

/// One run of a scenario, under one variant.
package struct ScenarioRun: Sendable, Codable, Hashable {
    /// The column of expectations that the run was compared with.
    package enum Column: String, Sendable, Codable {
        /// Devices as the file describes them.
        case device
        /// Every device as an iOS Simulator.
        case iOSSimulator
    }

    /// One way to run a scenario.
    package struct Variant: Sendable, Hashable {
        package let column: Column
        /// The behavior of every device; nil keeps the file's.
        package let behavior: Scenario.BehaviorName?

        package init(_ column: Column, _ behavior: Scenario.BehaviorName? = nil) {
            self.column = column
            self.behavior = behavior
        }

        /// Runs everything as the file describes it.
        package static let device = Variant(.device)
        /// Runs everything as the file describes it, but with every device as an iOS Simulator.
        package static let iOSSimulator = Variant(.iOSSimulator)
    }

    /// The description of a device in the run.
    package struct DeviceFacts: Sendable, Codable, Hashable {
        package let name: String
        package let system: String
        package let behavior: String
    }

    package let column: Column
    /// The behavior of every device; nil if the file's was used.
    package let behavior: Scenario.BehaviorName?
    package let holds: Bool
    package let devices: [DeviceFacts]
    package let steps: [ScenarioStep]
    package let samples: [ScenarioSample]
}

extension ScenarioRun {
    /// The run's distinction from others in the report, such as `device, appleSource`.
    package var label: String {
        [column.rawValue, behavior?.rawValue].compactMap(\.self).joined(separator: ", ")
    }

    /// The same distinction as a heading, such as `iOS Simulator` or `appleSource`.
    package var heading: String {
        let place = column == .iOSSimulator ? "iOS Simulator" : nil
        let parts = [place, behavior?.rawValue].compactMap(\.self)
        return parts.isEmpty ? "device" : parts.joined(separator: ", ")
    }
}

extension ScenarioReport {
    /// Whether there are several devices, so that each event shows its device.
    package var hasDevices: Bool { runs.contains { $0.devices.count > 1 } }

    /// Returns what the runs' different statuses for one event mean.
    package func differences(at index: Int) -> [String] {
        let pairs = runs.flatMap { run in runs.map { (run, $0) } }.filter { run, other in
            run.steps[index].observed != other.steps[index].observed
        }
        let isHidden = pairs.contains { $0.column != $1.column && $0.behavior == $1.behavior }
        let isDisputed = pairs.contains { $0.column == $1.column && $0.behavior != $1.behavior }
        return (isHidden ? ["hidden by the Simulator"] : [])
            + (isDisputed ? ["guides and Apple's source disagree"] : [])
    }
}

/// One event, with its expected and its observed result.
package struct ScenarioStep: Sendable, Codable, Hashable {
    /// A status with its number and its name.
    package struct StatusFacts: Sendable, Codable, Hashable {
        package let code: Int32
        package let name: String

        init(_ status: ScenarioStatus) {
            code = status.code
            name = status.name
        }
    }

    /// A prompt that appeared.
    package struct PromptFacts: Sendable, Codable, Hashable {
        package let kind: String
        package let answer: String
    }

    /// The reason why the observed status is not 0: the request and its circumstances.
    package struct Explanation: Sendable, Codable, Hashable {
        package let reason: String
        /// The statements of the guides and of Apple's source, with advice; nil if they agree.
        package let outcomes: String?
        package let deviceState: String
        package let itemClass: String?
        package let accessible: String?
        /// The part of the class's name after `NSFileProtection`.
        package let fileClass: String?
        package let require: [String]?
        package let execution: String?
    }

    /// The number of the event, from 1.
    package let number: Int
    /// Seconds since the start.
    package let at: Double
    package let event: String
    package let verb: String
    package let device: String
    package let app: String?
    package let execution: String?
    package let item: String?
    package let file: String?
    /// The expected status; nil accepts any.
    package let expected: StatusFacts?
    package let observed: StatusFacts
    package let holds: Bool
    package let prompts: [PromptFacts]
    package let explanation: Explanation?
}

/// The state of all devices at one moment.
package struct ScenarioSample: Sendable, Codable, Hashable {
    /// Seconds since the start.
    package let at: Double
    /// The number of the event before; 0 at the start.
    package let step: Int
    package let devices: [DeviceSample]
}

/// The state of one device.
package struct DeviceSample: Sendable, Codable, Hashable {
    package let name: String
    package let state: String
    /// The available class keys, named by the suffix of `kSecAttrAccessible`, most restrictive
    /// first.
    package let classKeys: [String]
    package let items: [ItemSample]
    package let files: [ItemSample]
}

/// The outcome that a read of one item or file would have had.
package struct ItemSample: Sendable, Codable, Hashable {
    package enum Outcome: String, Sendable, Codable, CaseIterable {
        case readable, asks, open, locked, absent, refused
    }

    package let name: String
    package let outcome: Outcome
    package let status: Int32
    /// The prompt that a read would show.
    package let asks: String?
}

extension ScenarioStep.Explanation {
    /// The reason and its item, on one line.
    package var sentence: String {
        let outcomes = outcomes.map { " [\($0)]" } ?? ""
        guard let itemClass else { return reason + outcomes }
        let control = require.map { " behind \($0.joined(separator: " "))" } ?? ""
        return "\(reason) (\(itemClass), \(accessible ?? "")\(control))\(outcomes)"
    }
}
