extension ScenarioEvent {
    private static let commonKeys = ["do", "at", "on", "note", "expect"]

    static func all(
        _ list: JSONField,
        _ names: ScenarioNames
    ) throws(ScenarioError) -> [ScenarioEvent] {
        var events: [ScenarioEvent] = []
        for element in try list.elements(limit: ScenarioLimits.events) {
            let before = events.last?.moment ?? 0
            let event = try ScenarioEvent(element, after: before, names)
            if case .device(.restore(let name, _)) = event.action {
                guard events.contains(where: { $0.action.isBackup(named: name) }) else {
                    throw element.error("no backup \(JSONField.quoted(name)) was made before")
                }
            }
            events.append(event)
        }
        return events
    }

    private init(
        _ field: JSONField,
        after before: Double,
        _ names: ScenarioNames
    ) throws(ScenarioError) {
        let verb = try ScenarioVerb.of(field)
        let object = try JSONObject(field, keys: Self.commonKeys + verb.keys)
        if let at = object["at"] {
            moment = try at.seconds()
            guard moment >= before else { throw at.error("time goes back: it was \(before) s") }
        } else {
            moment = before
        }
        device = try object["on"]?.name(of: "device", among: names.devices) ?? names.devices[0]
        note = try object["note"]?.text(limit: ScenarioLimits.longText)
        action = try verb.read(object, names)
        expectation =
            try object["expect"]?.expectation(in: verb.domain)
            ?? Expectation(Expectation.Outcomes(.success))
    }
}

extension JSONField {
    /// Returns the expected outcomes, which may differ by kind of device.
    fileprivate func expectation(
        in domain: ScenarioStatus.Domain
    ) throws(ScenarioError) -> Expectation {
        guard case .object(let members) = node,
            Scenario.BehaviorName.allCases.allSatisfy({ members[$0.rawValue] == nil })
        else { return Expectation(try outcomes(in: domain)) }
        let object = try JSONObject(self, keys: ["device", "iOSSimulator"])
        return Expectation(
            device: try object.required("device").outcomes(in: domain),
            simulator: try object.required("iOSSimulator").outcomes(in: domain)
        )
    }

    /// Returns the expected statuses, which may differ by behavior.
    private func outcomes(
        in domain: ScenarioStatus.Domain
    ) throws(ScenarioError) -> Expectation.Outcomes {
        guard case .object = node else { return Expectation.Outcomes(try status(in: domain)) }
        let object = try JSONObject(self, keys: Scenario.BehaviorName.allCases.map(\.rawValue))
        return Expectation.Outcomes(
            documented: try object.required("documented").status(in: domain),
            appleSource: try object.required("appleSource").status(in: domain)
        )
    }

    /// Returns an expected status; nil accepts any.
    private func status(
        in domain: ScenarioStatus.Domain
    ) throws(ScenarioError) -> ScenarioStatus? {
        if case .text("anything") = node { return nil }
        if let number = node.double {
            guard let code = Int32(exactly: number) else {
                throw error("a status is a whole number of 32 bits")
            }
            return ScenarioStatus(code, domain)
        }
        guard case .text = node else { throw error("a status, by number or name, is expected") }
        let name = try text()
        guard let status = ScenarioStatus(name: name, in: domain) else {
            throw error("\(Self.quoted(name)) is not a status")
        }
        return status
    }
}

extension ScenarioAction {
    fileprivate func isBackup(named name: String) -> Bool {
        guard case .device(.backup(name, _)) = self else { return false }
        return true
    }
}
