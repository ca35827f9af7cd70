// What a run of a scenario file has shown. Documentation/Spec/scenario.md §7 describes its JSON.

/// All that came of one scenario file.
package struct ScenarioReport: Sendable, Codable, Hashable {
    package let title: String
    /// The file, as it was named.
    package let file: String
    /// Whether every expectation holds.
    package let holds: Bool
    package let runs: [ScenarioRun]
}

/// One run, under one way to enforce.
package struct ScenarioRun: Sendable, Codable, Hashable {
    /// Which expectations were held against it.
    package enum Column: String, Sendable, Codable {
        /// As the file says.
        case device
        /// With every device as an iOS Simulator.
        case iOSSimulator
    }

    /// One way to run a scenario.
    package struct Variant: Sendable, Hashable {
        package let column: Column
        /// The behavior of every device; nil: as the file says.
        package let behavior: Scenario.BehaviorName?

        package init(_ column: Column, _ behavior: Scenario.BehaviorName? = nil) {
            self.column = column
            self.behavior = behavior
        }

        /// Everything as the file says.
        package static let device = Variant(.device)
        /// As the file says, but with every device as an iOS Simulator.
        package static let iOSSimulator = Variant(.iOSSimulator)
    }

    /// What a device was.
    package struct DeviceFacts: Sendable, Codable, Hashable {
        package let name: String
        package let system: String
        package let behavior: String
    }

    package let column: Column
    /// The behavior that every device was given; nil: as the file says.
    package let behavior: Scenario.BehaviorName?
    package let holds: Bool
    package let devices: [DeviceFacts]
    package let steps: [ScenarioStep]
    package let samples: [ScenarioSample]
}

extension ScenarioRun {
    /// What tells the run from others of the report, such as `device, appleSource`.
    package var label: String {
        [column.rawValue, behavior?.rawValue].compactMap(\.self).joined(separator: ", ")
    }

    /// The same for people, such as `iOS Simulator` or `appleSource`.
    package var heading: String {
        let place = column == .iOSSimulator ? "iOS Simulator" : nil
        let parts = [place, behavior?.rawValue].compactMap(\.self)
        return parts.isEmpty ? "device" : parts.joined(separator: ", ")
    }
}

extension ScenarioReport {
    /// Whether there are several devices, so that each event needs the name of its own.
    package var hasDevices: Bool { runs.contains { $0.devices.count > 1 } }

    /// What the runs' different statuses of one event show.
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

/// One event, what was expected of it and what came of it.
package struct ScenarioStep: Sendable, Codable, Hashable {
    /// A status by number and name.
    package struct StatusFacts: Sendable, Codable, Hashable {
        package let code: Int32
        package let name: String

        init(_ status: ScenarioStatus) {
            code = status.code
            name = status.name
        }
    }

    /// A prompt that was shown.
    package struct PromptFacts: Sendable, Codable, Hashable {
        package let kind: String
        package let answer: String
    }

    /// Why the observed status is not 0: what was asked for, and in which circumstances.
    package struct Explanation: Sendable, Codable, Hashable {
        package let reason: String
        /// What the guides and Apple's source each say, and how to choose; nil where they agree.
        package let outcomes: String?
        package let deviceState: String
        package let itemClass: String?
        package let accessible: String?
        /// What follows `NSFileProtection`.
        package let fileClass: String?
        package let require: [String]?
        package let execution: String?
    }

    /// From 1.
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
    /// nil: anything.
    package let expected: StatusFacts?
    package let observed: StatusFacts
    package let holds: Bool
    package let prompts: [PromptFacts]
    package let explanation: Explanation?
}

/// How things stood at one moment.
package struct ScenarioSample: Sendable, Codable, Hashable {
    /// Seconds since the start.
    package let at: Double
    /// The event before it; 0 at the start.
    package let step: Int
    package let devices: [DeviceSample]
}

/// How one device stood.
package struct DeviceSample: Sendable, Codable, Hashable {
    package let name: String
    package let state: String
    /// What follows `kSecAttrAccessible`, most restrictive first.
    package let classKeys: [String]
    package let items: [ItemSample]
    package let files: [ItemSample]
}

/// What a read of one item or file would have come to.
package struct ItemSample: Sendable, Codable, Hashable {
    package enum Outcome: String, Sendable, Codable, CaseIterable {
        case readable, asks, open, locked, absent, refused
    }

    package let name: String
    package let outcome: Outcome
    package let status: Int32
    /// What somebody would be asked for.
    package let asks: String?
}

extension ScenarioStep.Explanation {
    /// The reason, and which item it is about, in one line.
    package var sentence: String {
        let outcomes = outcomes.map { " [\($0)]" } ?? ""
        guard let itemClass else { return reason + outcomes }
        let control = require.map { " behind \($0.joined(separator: " "))" } ?? ""
        return "\(reason) (\(itemClass), \(accessible ?? "")\(control))\(outcomes)"
    }
}
