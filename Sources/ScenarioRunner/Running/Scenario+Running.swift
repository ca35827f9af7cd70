import KeychainModel
import KeychainSimulator

extension Scenario {
    /// Runs the scenario on new devices in memory.
    ///
    /// - Parameters:
    ///   - variants: The variants; each gives one run.
    ///   - file: The file's name in the report.
    /// - Returns: All expected and observed results.
    /// - Throws: `SimulatorError` if a device cannot be made.
    package func run(
        _ variants: [ScenarioRun.Variant] = [.device],
        file: String
    ) throws -> ScenarioReport {
        let runs = try variants.map(run)
        return ScenarioReport(
            title: title,
            file: file,
            holds: runs.allSatisfy(\.holds),
            runs: runs
        )
    }

    private func run(as variant: ScenarioRun.Variant) throws -> ScenarioRun {
        var environment = try ScenarioEnvironment(self, as: variant)
        var steps: [ScenarioStep] = []
        var samples = [environment.sample(after: 0)]
        for event in events {
            environment.advance(to: event.moment) { samples.append($0.sample(after: steps.count)) }
            steps.append(environment.perform(event, number: steps.count + 1))
            samples.append(environment.sample(after: steps.count))
        }
        return ScenarioRun(
            column: variant.column,
            behavior: variant.behavior,
            holds: steps.allSatisfy(\.holds),
            devices: environment.devices.map(\.facts),
            steps: steps,
            samples: samples
        )
    }
}

extension ScenarioEnvironment {
    fileprivate mutating func perform(_ event: ScenarioEvent, number: Int) -> ScenarioStep {
        let target = device(event.device)
        let device = target.device
        let state = device.state.name
        device.removePrompts()
        device.removeFindings()
        let outcome = perform(event.action, on: target)
        let expected = event.expectation.status(on: device.system, under: target.behavior)
        let actor = event.action.actor
        return ScenarioStep(
            number: number,
            at: event.moment,
            event: event.words,
            verb: event.action.verb,
            device: event.device,
            app: actor?.app,
            execution: actor?.execution.name,
            item: event.action.item,
            file: event.action.file,
            expected: expected.map(ScenarioStep.StatusFacts.init),
            observed: ScenarioStep.StatusFacts(outcome.status),
            holds: expected.map { $0 == outcome.status } ?? true,
            prompts: device.prompts.map { ScenarioStep.PromptFacts($0, on: device) },
            explanation: explanation(of: outcome, event.action, state, device.findings)
        )
    }

    private mutating func perform(_ action: ScenarioAction, on target: ScenarioDevice) -> Outcome {
        switch action {
        case .device(let action): perform(action, on: target)
        case .call(let call): perform(call, on: target)
        case .file(let call): perform(call, on: target)
        case .policy(let call): perform(call, on: target)
        case .account(let action): perform(action, on: target)
        }
    }

    /// Returns why a call failed: its finding's sentence, with the circumstances.
    private func explanation(
        of outcome: Outcome,
        _ action: ScenarioAction,
        _ state: String,
        _ findings: [Finding]
    ) -> ScenarioStep.Explanation? {
        guard !outcome.status.isSuccess else { return nil }
        let finding = findings.last { $0.status == outcome.status.code }
        // If the guides and Apple's source disagree, the reason has to mention both.
        let disputed = findings.last {
            $0.status == outcome.status.code && $0.otherProfile != nil
        }
        let item = action.item.flatMap(item)
        return ScenarioStep.Explanation(
            reason: disputed?.reason ?? outcome.reason ?? finding?.reason ?? "no finding explains",
            outcomes: disputed?.otherProfile,
            deviceState: state,
            itemClass: item?.itemClass.rawValue,
            accessible: item.map { ($0.accessible ?? .whenUnlocked).suffix },
            fileClass: action.file.flatMap { classes[$0] }?.name,
            require: item?.requirement?.names,
            execution: action.actor?.execution.name
        )
    }
}

extension ScenarioAction {
    /// The acting program; nil if a person acts.
    fileprivate var actor: (app: String, execution: SimulatedApp.Execution)? {
        switch self {
        case .device, .account: nil
        case .call(let call): (call.app, call.execution)
        case .file(let call): (call.app, call.execution)
        case .policy(let call): (call.app, call.execution)
        }
    }

    fileprivate var item: String? {
        if case .call(let call) = self { call.item } else { nil }
    }

    fileprivate var file: String? {
        if case .file(let call) = self { call.file } else { nil }
    }
}

extension Finding {
    /// The sentence without its full stop, as a part of another.
    ///
    /// A sentence without its rule's words begins with a space.
    fileprivate var reason: String {
        let text = sentence.drop { $0 == " " }
        return String(text.hasSuffix(".") ? text.dropLast() : text)
    }
}

extension ScenarioDevice {
    fileprivate var facts: ScenarioRun.DeviceFacts {
        ScenarioRun.DeviceFacts(
            name: setup.name,
            system: device.system.description,
            behavior: behavior.rawValue
        )
    }
}

extension ScenarioStep.PromptFacts {
    init(_ record: PromptRecord, on device: SimulatedDevice) {
        kind =
            switch record.kind {
            case .biometry: device.biometry.presented
            case .companion: "companion"
            case .passcode: "passcode"
            case .newApplicationPassword: "newApplicationPassword"
            case .applicationPassword: "applicationPassword"
            }
        answer =
            switch record.answer {
            case .presented(let name): "presented \(name)"
            case .typed: "typed"
            case .approved: "approved"
            case .fallback: "chose another way"
            case .canceled: "canceled"
            case .ignored: "did nothing"
            case .interrupted: "interrupted"
            }
    }
}
