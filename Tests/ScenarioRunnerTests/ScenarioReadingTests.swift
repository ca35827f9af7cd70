import Foundation
import KeychainSimulator
import TestSupport
import Testing

@testable import ScenarioRunner

/// A scenario file with a fault, and the line that tells it.
struct FaultyScenario: Sendable, CustomTestStringConvertible {
    let text: String
    let complaint: String
    var testDescription: String { complaint }

    private init(_ text: String, _ complaint: String) {
        self.text = text
        self.complaint = complaint
    }

    /// A fault of one event; the rest is well.
    private static func event(_ event: String, _ complaint: String) -> FaultyScenario {
        FaultyScenario(
            #"{"title": "t", "items": [{"name": "x"}], "events": [\#(event)]}"#,
            "a.json: events[0]" + complaint
        )
    }

    private static let whole = [
        FaultyScenario("", "a.json: the file is not JSON, or nested too deeply"),
        FaultyScenario("{\"title\": \"t\"", "a.json: the file is not JSON, or nested too deeply"),
        FaultyScenario("[]", "a.json: an object is expected"),
        FaultyScenario(#"{"events": []}"#, "a.json: the key title is missing"),
        FaultyScenario(#"{"title": "t"}"#, "a.json: the key events is missing"),
        FaultyScenario(#"{"title": 3, "events": []}"#, "a.json: title: a text is expected"),
        FaultyScenario(#"{"title": "", "events": []}"#, "a.json: title: the text is empty"),
        FaultyScenario(
            #"{"title": "t", "events": [], "event": []}"#,
            "a.json: the key 'event' is unknown; known are title, device, devices, apps, items, "
                + "files, events"
        ),
        FaultyScenario(
            #"{"title": "t", "events": [], "a\nb": 1}"#,
            "a.json: the key 'a�b' is unknown; known are title, device, devices, apps, items, "
                + "files, events"
        ),
    ]

    private static let repetitions = [
        FaultyScenario(
            "{\"title\": \"t\", \"events\": [],\n\n\"title\": \"u\"}",
            "a.json: the key 'title' occurs twice, the second time in line 3"
        ),
        FaultyScenario(
            #"{"title": "t", "events": [{"do": "lock", "\u0064o": "reboot"}]}"#,
            "a.json: events[0]: the key 'do' occurs twice, the second time in line 1"
        ),
        FaultyScenario(
            #"{"events": [{"expect": {"device": 0, "device": 0}}], "events": []}"#,
            "a.json: events[0].expect: the key 'device' occurs twice, the second time in line 1"
        ),
    ]

    private static let setups = [
        FaultyScenario(
            #"{"title": "t", "events": [], "device": {}, "devices": [{}]}"#,
            "a.json: device: device and devices exclude each other"
        ),
        FaultyScenario(
            #"{"title": "t", "events": [], "devices": []}"#,
            "a.json: devices: at least one device is expected"
        ),
        FaultyScenario(
            #"{"title": "t", "events": [], "devices": [{}, {}]}"#,
            "a.json: devices[1]: the name 'device' occurs twice"
        ),
        FaultyScenario(
            #"{"title": "t", "events": [], "device": {"system": "iOS 7"}}"#,
            "a.json: device.system: a system such as iOS 26, macOS 26, watchOS 26 or iOS Simulator "
                + "is expected"
        ),
        FaultyScenario(
            #"{"title": "t", "events": [], "device": {"biometry": "nose"}}"#,
            "a.json: device.biometry: one of none, touchID, faceID is expected"
        ),
        FaultyScenario(
            #"{"title": "t", "events": [], "device": {"behavior": true}}"#,
            "a.json: device.behavior: a text is expected"
        ),
        FaultyScenario(
            #"{"title": "t", "events": [], "apps": [{"name": "a"}]}"#,
            "a.json: apps[0]: the key bundleIdentifier is missing"
        ),
        FaultyScenario(
            #"{"title": "t", "events": [], "items": [{"name": "x", "require": ["or", "luck"]}]}"#,
            "a.json: items[0].require[1]: one of userPresence, biometryAny, biometryCurrentSet, "
                + "devicePasscode, companion, or, and, applicationPassword is expected"
        ),
        FaultyScenario(
            #"{"title": "t", "events": [], "items": [{"name": "x", "app": "y"}]}"#,
            "a.json: items[0].app: there is no app 'y'"
        ),
    ]

    private static let events = [
        event("7", ": an object is expected"),
        event(#"{"at": 1}"#, ": the key do is missing"),
        event(
            #"{"do": "lock", "graze": 1}"#,
            ": the key 'graze' is unknown; known are do, at, on, note, expect, grace"
        ),
        event(#"{"do": "lock", "grace": "10"}"#, ".grace: a number of seconds is expected"),
        event(#"{"do": "lock", "grace": true}"#, ".grace: a number of seconds is expected"),
        event(#"{"do": "lock", "grace": -1}"#, ".grace: seconds are from 0 to 1000000000"),
        event(#"{"do": "lock", "at": 1e10}"#, ".at: seconds are from 0 to 1000000000"),
        event(#"{"do": "lock", "on": "moon"}"#, ".on: there is no device 'moon'"),
        event(#"{"do": "read"}"#, ": the key item is missing"),
        event(#"{"do": "read", "item": "y"}"#, ".item: there is no item 'y'"),
        event(#"{"do": "read", "item": "x", "as": "y"}"#, ".as: there is no app 'y'"),
        event(
            #"{"do": "read", "item": "x", "in": "space"}"#,
            ".in: one of foreground, background is expected"
        ),
        event(#"{"do": "restore"}"#, ": no backup 'backup' was made before"),
        event(
            #"{"do": "lock", "expect": "errSecLuck"}"#,
            ".expect: 'errSecLuck' is not a status"
        ),
        event(
            #"{"do": "lock", "expect": "LAError.userCancel"}"#,
            ".expect: 'LAError.userCancel' is not a status"
        ),
        event(
            #"{"do": "lock", "expect": 0.5}"#,
            ".expect: a status is a whole number of 32 bits"
        ),
        event(
            #"{"do": "lock", "expect": null}"#,
            ".expect: a status, by number or name, is expected"
        ),
        event(
            #"{"do": "lock", "expect": {"device": 0}}"#,
            ".expect: the key iOSSimulator is missing"
        ),
        event(
            #"{"do": "lock", "expect": {"documented": 0}}"#,
            ".expect: the key appleSource is missing"
        ),
        event(
            #"{"do": "lock", "expect": {"documented": 0, "appleSource": 0, "device": 0}}"#,
            ".expect: the key 'device' is unknown; known are documented, appleSource"
        ),
        event(
            #"{"do": "lock", "expect": {"device": {"appleSource": 0}, "iOSSimulator": 0}}"#,
            ".expect.device: the key documented is missing"
        ),
        FaultyScenario(
            #"{"title": "t", "events": [{"do": "lock", "at": 2}, {"do": "unlock", "at": 1}]}"#,
            "a.json: events[1].at: time goes back: it was 2.0 s"
        ),
    ]

    static let all = whole + repetitions + setups + events
}

@Suite struct `A scenario file` {
    @Test(arguments: FaultyScenario.all)
    func `with a fault is refused with its place, on one line`(faulty: FaultyScenario) {
        let error = #expect(throws: ScenarioError.self) { try Scenario(faulty.text) }
        #expect(error?.description == faulty.complaint)
        #expect(error?.description.contains("\n") == false)
    }

    @Test func `with a verb that nobody knows names the verbs`() {
        let error = #expect(throws: ScenarioError.self) { try Scenario.of(#"{"do": "dance"}"#) }
        let known = ScenarioVerb.table.map(\.name).joined(separator: ", ")
        #expect(error?.description == "a.json: events[0].do: one of \(known) is expected")
    }

    @Test func `says little, and means the usual`() throws {
        let scenario = try Scenario(
            #"{"title": "t", "items": [{"name": "x"}], "events": [{"do": "lock"}]}"#
        )
        let device = scenario.devices[0]
        #expect(device.passcode == "0000")
        #expect(device.biometry == .faceID)
        #expect(device.system == .iOS(26))
        #expect(device.behavior == .documented)
        #expect(scenario.apps.map(\.name) == ["com.example.app"])
        let item = scenario.items[0]
        #expect(item.account == "x")
        #expect(item.value == "value of x")
        #expect(item.accessible == nil)
        #expect(scenario.events[0].expectation == Expectation(.init(.success)))
    }

    @Test func `lets an event happen when the one before did, unless it says when`() throws {
        let scenario = try Scenario.of(
            #"{"do": "lock"}, {"do": "lock", "at": 2.5}, {"do": "lock"}, {"do": "lock", "at": 9}"#
        )
        #expect(scenario.events.map(\.moment) == [0, 2.5, 2.5, 9])
    }

    @Test(arguments: ["-25308", "\"errSecInteractionNotAllowed\""])
    func `names a status by number or by name`(text: String) throws {
        let scenario = try Scenario.of("{\"do\": \"lock\", \"expect\": \(text)}")
        #expect(scenario.events[0].expectation.device == .init(ScenarioStatus(-25308)))
    }

    @Test(arguments: ["-8", "\"LAError.biometryLockout\""])
    func `names an error of authentication likewise`(text: String) throws {
        let scenario = try Scenario.of(
            """
            {"do": "evaluatePolicy", "policy": "deviceOwnerAuthentication", "expect": \(text)}
            """
        )
        #expect(
            scenario.events[0].expectation.device.documented == ScenarioStatus(-8, .authentication)
        )
    }

    @Test func `of hostile size is refused`() {
        let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
        let many = Array(repeating: #"{"do": "lock"}"#, count: 501).joined(separator: ",")
        let long = String(repeating: "x", count: 257)
        let big = "{\"title\": \"\(String(repeating: "x", count: 1 << 20))\", \"events\": []}"
        let texts = [
            "{\"title\": \(deep), \"events\": []}": "the file is not JSON, or nested too deeply",
            "{\"title\": \"t\", \"events\": [\(many)]}": "events: more than 500 entries",
            "{\"title\": \"\(long)\", \"events\": []}": "title: more than 256 characters",
            big: "more than 1 MiB",
        ]
        let complaints = texts.map { text, complaint in
            #expect(throws: ScenarioError.self) { try Scenario(text) }?.description
                == "a.json: " + complaint
        }
        #expect(complaints == Array(repeating: true, count: 4))
    }

    @Test func `that is not there is refused by name`() {
        let error = #expect(throws: ScenarioError.self) {
            try Scenario(contentsOf: URL(filePath: "/nowhere/x.json"), named: "x.json")
        }
        #expect(error?.description == "x.json: the file cannot be read")
    }

    @Test(arguments: ShippedScenarios.names)
    func `that is cut short anywhere is refused`(name: String) throws {
        let bytes = try Data(contentsOf: ShippedScenarios.file(name))
        let whole = bytes.lastIndex(of: UInt8(ascii: "}")) ?? bytes.endIndex
        let accepted = stride(from: 0, to: whole, by: 7).filter { count in
            !(failure { try Scenario(bytes.prefix(count), named: "a.json") } is ScenarioError)
        }
        #expect(accepted == [])
    }
}
