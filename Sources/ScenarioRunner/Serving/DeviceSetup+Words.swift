import JSON

extension Scenario.DeviceSetup {
    /// Describes a device with words from a command line; nil selects the default of files.
    ///
    /// - Throws: `ScenarioError` whose path is the key of the wrong word.
    package init(
        name: String,
        passcode: String?,
        system: String?,
        biometry: String?,
        behavior: String?
    ) throws(ScenarioError) {
        var members: [String: JSONTree<Never>] = ["name": .text(name)]
        members["passcode"] = passcode.map { .text($0) } ?? .null
        members["system"] = system.map { .text($0) }
        members["biometry"] = biometry.map { .text($0) }
        members["behavior"] = behavior.map { .text($0) }
        try self.init(JSONField(node: .object(members), path: "", file: ""))
    }

    /// The passcode of a device if no other is given.
    package static let usualPasscode = "0000"
}
