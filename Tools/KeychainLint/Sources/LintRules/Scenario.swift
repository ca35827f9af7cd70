/// ★ A scenario of Examples/Scenarios that shows the effect of a mistake, and the rules about it.
package struct Scenario: Sendable, CustomStringConvertible {
    /// The path of the file, below the root of the repository.
    package let file: String
    /// The events in the scenario.
    package let lesson: String
    package let rules: [String]

    package var description: String { file }

    private init(_ name: String, _ lesson: String, _ rules: [String]) {
        file = "Examples/Scenarios/\(name).json"
        self.lesson = lesson
        self.rules = rules
    }

    /// Returns the scenarios that show the effect of a rule's mistake.
    package static func showing(_ rule: String) -> [Scenario] {
        all.filter { $0.rules.contains(rule) }
    }

    package static let all: [Scenario] = [
        Scenario(
            "1-reboot",
            "After a restart, the first read gets -25308 until the user unlocks the device. An "
                + "item of an Always class is open even then.",
            ["KC202", "KC207", "KC606"]
        ),
        Scenario(
            "2-lock-timing",
            "A read of an item without a class of its own gets -25308 while the device is locked, "
                + "and succeeds again after the unlock: the item was never gone.",
            ["KC201", "KC503", "KC505", "KC510"]
        ),
        Scenario(
            "3-passcode-removal",
            "The user removes the passcode: the item is gone, and a new passcode does not bring "
                + "it back.",
            ["KC208"]
        ),
        Scenario(
            "4-enrollment-change",
            "Somebody enrolls a second face: an item with .biometryCurrentSet stays shut, and one "
                + "with .biometryAny opens for both.",
            ["KC303", "KC309", "KC310", "KC312"]
        ),
        Scenario(
            "5-backup-to-another-device",
            "A backup goes to a new phone: items without ThisDeviceOnly arrive there, the others "
                + "do not.",
            ["KC205", "KC602"]
        ),
        Scenario(
            "6-background-extension",
            "A message arrives at a locked phone: the extension reads the AfterFirstUnlock token, "
                + "and gets -25308 for the WhenUnlocked one.",
            ["KC203", "KC206", "KC614"]
        ),
    ]
}
