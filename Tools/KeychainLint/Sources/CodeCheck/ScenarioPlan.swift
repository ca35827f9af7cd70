import Foundation
import LintAnalysis

/// ★ One of the six scenarios, for an item of the checked code.
struct ScenarioPlan: Sendable {
    let name: String
    /// Events between the add and the reads, and the reads with their names.
    let events: [Event]
    let devices: Int

    enum Event: Sendable {
        case step([String: String])
        /// A read whose outcome is reported.
        case read(String, on: String? = nil, inBackground: Bool = false)
    }

    /// Returns a step such as `["do": "lock"]`.
    private static func step(_ verb: String, _ keys: [String: String] = [:]) -> Event {
        .step(keys.merging(["do": verb]) { $1 })
    }

    static let all = [
        ScenarioPlan(
            name: "reboot",
            events: [
                step("reboot"), .read("after a restart, before the first unlock"), step("unlock"),
                step("lock"), .read("locked, after the first unlock"),
            ],
            devices: 1
        ),
        ScenarioPlan(
            name: "lock",
            events: [step("lock"), .read("while locked"), step("unlock"), .read("unlocked again")],
            devices: 1
        ),
        ScenarioPlan(
            name: "passcode-removal",
            events: [step("removePasscode"), .read("after the passcode was removed")],
            devices: 1
        ),
        ScenarioPlan(
            name: "enrollment-change",
            events: [
                step("enroll", ["finger": "second face"]),
                .read("after a second face was enrolled"),
            ],
            devices: 1
        ),
        ScenarioPlan(
            name: "backup",
            events: [
                step("backup"), step("restore", ["on": "new phone"]),
                .read("on a new device, from a backup", on: "new phone"),
            ],
            devices: 2
        ),
        ScenarioPlan(
            name: "background",
            events: [step("lock"), .read("in the background, while locked", inBackground: true)],
            devices: 1
        ),
    ]

    /// Returns the scenario file for an item; its secret is made up.
    func document(for item: CheckedItem) throws -> Data {
        var described: [String: Any] = [
            "name": "item", "account": item.account, "service": item.service,
            "class": item.itemClass == .genericPassword ? "genericPassword" : "internetPassword",
            "value": "made up",
        ]
        if let accessible = item.accessible { described["accessible"] = accessible }
        if !item.flags.isEmpty { described["require"] = item.flags }
        var app: [String: Any] = ["bundleIdentifier": "com.example.app"]
        if item.group != nil {
            // The name of the group does not matter, only that the app has it.
            app["groups"] = ["checked"]
            described["group"] = "TEAMID1234.checked"
        }
        let document: [String: Any] = [
            "title": name,
            "devices": ["phone", "new phone"].prefix(devices).map { ["name": $0] },
            "apps": [app],
            "items": [described],
            "events": objects,
        ]
        return try JSONSerialization.data(withJSONObject: document, options: .sortedKeys)
    }

    private var objects: [[String: Any]] {
        let add: [String: Any] = ["do": "add", "item": "item", "expect": "anything"]
        return [add]
            + events.enumerated().map { index, event in
                var object: [String: Any]
                switch event {
                case .step(let keys): object = keys
                case .read(let name, let device, let inBackground):
                    object = ["do": "read", "item": "item", "note": name]
                    if let device { object["on"] = device }
                    if inBackground { object["in"] = "background" }
                }
                object["at"] = (index + 1) * 60
                object["expect"] = "anything"
                return object
            }
    }
}
