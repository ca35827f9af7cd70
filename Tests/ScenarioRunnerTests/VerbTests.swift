import TestSupport
import Testing

@testable import ScenarioRunner

private let vault = #"{"name": "x", "accessible": "WhenUnlocked"}"#

@Suite struct `A device in a scenario` {
    @Test(.requirement("SIM-08"))
    func `is locked, unlocked and started anew`() throws {
        let run = try Scenario.of(
            items: vault,
            """
            {"do": "add", "item": "x"},
            {"do": "lock"}, {"do": "read", "item": "x", "expect": -25308},
            {"do": "unlock", "passcode": "9999", "expect": "errSecAuthFailed"},
            {"do": "unlockWithBiometry"}, {"do": "read", "item": "x"},
            {"do": "reboot"}, {"do": "unlockWithBiometry", "expect": "errSecAuthFailed"},
            {"do": "read", "item": "x", "expect": -25308},
            {"do": "unlock"}, {"do": "read", "item": "x"},
            {"at": 100, "do": "lock", "grace": 10}, {"at": 109, "do": "read", "item": "x"},
            {"at": 110, "do": "read", "item": "x", "expect": -25308}
            """
        ).runOnce()
        #expect(run.steps.filter { !$0.holds }.map(\.event) == [])
    }

    @Test(.requirement("SIM-08"))
    func `gets, changes and loses its passcode`() throws {
        let run = try Scenario.of(
            items: #"{"name": "x", "accessible": "WhenPasscodeSetThisDeviceOnly"}"#,
            """
            {"do": "add", "item": "x"},
            {"do": "setPasscode", "passcode": "1", "current": "no", "expect": "errSecAuthFailed"},
            {"do": "setPasscode", "passcode": "1111"}, {"do": "lock"},
            {"do": "unlock", "passcode": "0000", "expect": "errSecAuthFailed"},
            {"at": 1, "do": "unlock"}, {"do": "read", "item": "x"},
            {"do": "removePasscode", "current": "0000", "expect": "errSecAuthFailed"},
            {"at": 100, "do": "removePasscode"},
            {"do": "read", "item": "x", "expect": "errSecItemNotFound"},
            {"do": "setPasscode", "passcode": "2222", "current": null}, {"do": "lock"},
            {"do": "unlock"}, {"do": "add", "item": "x"}
            """
        ).runOnce()
        #expect(run.steps.filter { !$0.holds }.map(\.event) == [])
    }

    @Test(.requirement("SIM-08"))
    func `enrolls, forgets and recognizes faces`() throws {
        let run = try Scenario.of(
            items: #"{"name": "x", "require": ["biometryCurrentSet"]}"#,
            """
            {"do": "add", "item": "x"}, {"do": "read", "item": "x"},
            {"do": "enroll", "finger": "twin"},
            {"do": "enroll", "finger": "twin", "expect": "errSecParam"},
            {"do": "read", "item": "x", "expect": "errSecAuthFailed"},
            {"do": "delete", "item": "x"}, {"do": "user", "biometric": "twin"},
            {"do": "add", "item": "x"}, {"do": "read", "item": "x"},
            {"do": "removeEnrollment", "finger": "owner"},
            {"do": "removeEnrollment", "finger": "twin"},
            {"do": "read", "item": "x", "expect": "errSecAuthFailed"}
            """
        ).runOnce()
        #expect(run.steps.filter { !$0.holds }.map(\.event) == [])
    }

    @Test(.requirement("SIM-08")) func `is erased, and takes apps again`() throws {
        let run = try Scenario.of(
            items: vault,
            """
            {"do": "add", "item": "x"}, {"do": "erase"},
            {"do": "read", "item": "x", "expect": "errSecMissingEntitlement"},
            {"do": "install"}, {"do": "read", "item": "x", "expect": "errSecItemNotFound"},
            {"do": "add", "item": "x"}, {"do": "setPasscode", "passcode": "1"},
            {"do": "lock"}, {"do": "unlock"}, {"do": "read", "item": "x"}
            """
        ).runOnce()
        #expect(run.steps.filter { !$0.holds }.map(\.event) == [])
    }

    @Test func `asks other people for other things elsewhere`() throws {
        let run = try Scenario.of(
            items: """
                {"name": "x", "require": ["userPresence"]},
                {"name": "y", "require": ["applicationPassword"]}
                """,
            """
            {"do": "user", "applicationPassword": "pw"},
            {"do": "add", "item": "x"}, {"do": "add", "item": "y"},
            {"do": "user", "biometric": "stranger"}, {"do": "read", "item": "x"},
            {"do": "location", "familiar": false},
            {"do": "read", "item": "x", "expect": "errSecAuthFailed"},
            {"do": "location", "familiar": true},
            {"do": "user", "biometric": null, "passcode": null},
            {"do": "read", "item": "x", "expect": "errSecAuthFailed"},
            {"do": "read", "item": "y"}, {"do": "user", "applicationPassword": "no"},
            {"do": "read", "item": "y", "expect": "errSecAuthFailed"}
            """
        ).runOnce()
        #expect(run.steps.filter { !$0.holds }.map(\.event) == [])
    }

    @Test(arguments: ScenarioVerb.table.map(\.name))
    func `knows every verb that the format names`(verb: String) throws {
        let spec = try String(
            contentsOf: ShippedScenarios.folder.deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: "Documentation/Spec/scenario.md"),
            encoding: .utf8
        )
        #expect(spec.contains("`\(verb)`"))
    }
}
