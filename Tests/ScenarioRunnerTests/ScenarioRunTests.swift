import KeychainSimulator
import TestSupport
import Testing

@testable import ScenarioRunner

private let token = #"{"name": "token", "accessible": "WhenUnlocked"}"#
private let gated = #"{"name": "gated", "require": ["biometryCurrentSet"]}"#

@Suite struct `A run of a scenario` {
    @Test func `holds every event against what is expected of it`() throws {
        let run = try Scenario.of(
            items: token,
            """
            {"do": "add", "item": "token"}, {"do": "lock"},
            {"do": "read", "item": "token"},
            {"do": "read", "item": "token", "expect": -25308},
            {"do": "read", "item": "token", "expect": "anything"}
            """
        ).runOnce()
        #expect(run.codes == [0, 0, -25308, -25308, -25308])
        #expect(run.steps.indices.filter { !run.steps[$0].holds } == [2])
        #expect(run.steps.map { $0.expected?.code } == [0, 0, 0, -25308, nil])
        #expect(!run.holds)
    }

    @Test func `is made twice where both columns are wanted`() throws {
        let (device, simulator) = try Scenario.of(
            items: token,
            """
            {"do": "add", "item": "token"}, {"do": "lock"},
            {"do": "read", "item": "token", "expect": {"device": -25308, "iOSSimulator": 0}}
            """
        ).runBoth()
        #expect(device.holds && simulator.holds)
        #expect(device.codes == [0, 0, -25308])
        #expect(simulator.codes == [0, 0, 0])
        #expect(device.devices[0].system == "iOS 26")
        #expect(simulator.devices[0].system == "iOS Simulator")
    }

    @Test func `follows the guides, Apple's source, or each in turn`() throws {
        let pair = #"{"name": "x", "require": ["biometryAny", "devicePasscode"]}"#
        let expected = #"{"documented": "errSecParam", "appleSource": 0}"#
        let scenario = try Scenario.of(
            items: pair,
            """
            {"do": "add", "item": "x", "expect": \(expected)},
            {"do": "read", "item": "x",
             "expect": {"device": {"documented": -25300, "appleSource": "anything"},
                        "iOSSimulator": -50}}
            """
        )
        let (documented, appleSource) = try scenario.runDisputed()
        #expect(documented.holds && appleSource.holds)
        #expect(documented.codes == [-50, -25300])
        #expect(appleSource.codes == [0, 0])
        #expect(documented.devices.map(\.behavior) == ["documented"])
        #expect(appleSource.devices.map(\.behavior) == ["appleSource"])
        #expect(appleSource.label == "device, appleSource")
        #expect(try scenario.runOnce().codes == documented.codes)
    }

    @Test func `tells which prompts an event caused`() throws {
        let run = try Scenario.of(
            items: gated,
            """
            {"do": "add", "item": "gated"}, {"do": "read", "item": "gated"},
            {"do": "user", "cancels": true},
            {"do": "read", "item": "gated", "expect": "errSecUserCanceled"}
            """
        ).runOnce()
        #expect(run.holds)
        let prompts = run.steps.map { $0.prompts.map { [$0.kind, $0.answer] } }
        #expect(prompts == [[], [["face", "presented owner"]], [], [["face", "canceled"]]])
    }

    @Test func `counts a value that nobody stored as undecodable`() throws {
        let items = """
            {"name": "one", "account": "same"}, {"name": "two", "account": "same", "value": "other"}
            """
        let run = try Scenario.of(
            items: items,
            """
            {"do": "add", "item": "one"}, {"do": "read", "item": "two"},
            {"do": "update", "item": "one", "value": "newer"}, {"do": "read", "item": "one"}
            """
        ).runOnce()
        #expect(run.codes == [0, -26275, 0, 0])
    }

    @Test func `finds items of another class and group`() throws {
        let scenario = try Scenario(
            """
            {
                "title": "t",
                "apps": [
                    {"bundleIdentifier": "a", "groups": ["shared"]},
                    {"bundleIdentifier": "b", "groups": ["shared"]},
                    {"bundleIdentifier": "c"}
                ],
                "items": [{
                    "name": "x", "class": "internetPassword", "group": "TEAMID1234.shared",
                    "service": "example.com"
                }],
                "events": [
                    {"do": "add", "item": "x"}, {"do": "read", "item": "x", "as": "b"},
                    {"do": "read", "item": "x", "as": "c", "expect": "errSecMissingEntitlement"},
                    {"do": "uninstall", "app": "b"},
                    {"do": "read", "item": "x", "as": "b", "expect": "errSecMissingEntitlement"},
                    {"do": "install", "app": "b"}, {"do": "read", "item": "x", "as": "b"}
                ]
            }
            """
        )
        #expect(try scenario.runOnce().holds)
    }

    @Test func `refuses flags that do not fit as the function does`() throws {
        let items = #"{"name": "x", "require": ["biometryAny", "devicePasscode"]}"#
        let add = #"{"do": "add", "item": "x", "expect": "errSecParam"}"#
        let run = try Scenario.of(items: items, add).runOnce()
        #expect(run.holds)
        #expect(run.steps[0].explanation?.require == ["biometryAny", "devicePasscode"])
    }

    @Test func `asks a context`() throws {
        let owner = #""policy": "deviceOwnerAuthentication""#
        let biometrics = #""policy": "deviceOwnerAuthenticationWithBiometrics""#
        let run = try Scenario.of(
            """
            {"do": "canEvaluatePolicy", \(biometrics)},
            {"do": "evaluatePolicy", \(biometrics)},
            {"do": "evaluatePolicy", \(owner), "in": "background",
             "expect": "LAError.notInteractive"},
            {"do": "user", "cancels": true},
            {"do": "evaluatePolicy", \(owner), "expect": "LAError.userCancel"},
            {"do": "removeEnrollment", "finger": "owner"},
            {"do": "canEvaluatePolicy", \(biometrics), "expect": "LAError.biometryNotEnrolled"},
            {"do": "canEvaluatePolicy", \(owner)}
            """
        ).runOnce()
        #expect(run.steps.filter { !$0.holds }.map(\.observed.name) == [])
        #expect(run.steps[1].prompts.count == 1)
    }
}

@Suite struct `An explanation of a refused call` {
    @Test(.requirement("SIM-22"))
    func `names item class, lock state and context`() throws {
        let run = try Scenario.of(
            items: token + "," + gated,
            """
            {"do": "add", "item": "token"}, {"do": "add", "item": "gated"},
            {"do": "read", "item": "gated", "in": "background", "expect": "anything"},
            {"do": "lock"},
            {"do": "read", "item": "token", "in": "background", "expect": "anything"},
            {"do": "reboot"},
            {"do": "read", "item": "token", "expect": "anything"}
            """
        ).runOnce()
        let explanations = run.steps.compactMap(\.explanation)
        #expect(explanations.map(\.deviceState) == ["unlocked", "locked", "beforeFirstUnlock"])
        #expect(explanations.map(\.execution) == ["background", "background", "foreground"])
        #expect(explanations.map(\.itemClass) == .init(repeating: "genericPassword", count: 3))
        #expect(explanations.map(\.accessible) == .init(repeating: "WhenUnlocked", count: 3))
        #expect(explanations[0].require == ["biometryCurrentSet"])
        #expect(
            explanations.map(\.sentence) == [
                "this needs a prompt, and the program cannot show one; the device is unlocked, and "
                    + "the program is in the background (genericPassword, WhenUnlocked behind "
                    + "biometryCurrentSet)",
                "the keychain is locked, and this item is WhenUnlocked; the device is locked, and "
                    + "the program is in the background (genericPassword, WhenUnlocked)",
                "the keychain is locked, and this item is WhenUnlocked; the device has not been "
                    + "unlocked since it started, and the program is in the foreground "
                    + "(genericPassword, WhenUnlocked)",
            ]
        )
    }

    @Test func `names what the guides and Apple's source say, and the line that chooses`() throws {
        let items = #"{"name": "x", "require": ["biometryAny", "devicePasscode"]}"#
        let run = try Scenario.of(items: items, #"{"do": "add", "item": "x"}"#).runOnce()
        let sentence = try #require(run.steps[0].explanation).sentence
        #expect(sentence.contains("[documented: nil and errSecParam (-50); appleSource: both are "))
        #expect(sentence.contains("SimulatedDevice(behavior: .appleSource)"))
    }

    @Test func `is not given where nothing was refused`() throws {
        let run = try Scenario.of(items: token, #"{"do": "add", "item": "token"}"#).runOnce()
        #expect(run.steps[0].explanation == nil)
    }
}
