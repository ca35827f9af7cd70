import KeychainServices
import KeychainSimulator
import ModelTestSupport
import Testing

@testable import ScenarioRunner

private let token = #"{"name": "token", "accessible": "WhenUnlocked"}"#

@Suite struct `Samples of a run` {
    @Test func `say what a read would come to after every event`() throws {
        let run = try Scenario.of(
            items: token + #", {"name": "gated", "require": ["userPresence"]}"#,
            """
            {"do": "add", "item": "token"}, {"do": "add", "item": "gated"}, {"do": "lock"},
            {"do": "unlock"}, {"do": "delete", "item": "token"}, {"do": "uninstall"}
            """
        ).runOnce()
        #expect(run.samples.map(\.step) == [0, 1, 2, 3, 4, 5, 6])
        #expect(
            run.outcomes(of: "token") == [
                .absent, .readable, .readable, .locked, .readable, .absent, .refused,
            ]
        )
        #expect(
            run.outcomes(of: "gated") == [
                .absent, .absent, .asks, .locked, .asks, .asks, .refused,
            ]
        )
    }

    @Test(arguments: [("touchID", "finger"), ("faceID", "face"), ("none", "passcode")])
    func `say what somebody would be asked for`(biometry: String, asked: String) throws {
        let run = try Scenario(
            """
            {"title": "t", "device": {"biometry": "\(biometry)"},
             "items": [{"name": "x", "require": ["userPresence"]}],
             "events": [{"do": "add", "item": "x"}]}
            """
        ).runOnce()
        #expect(run.samples[1].devices[0].items[0].asks == asked)
        #expect(run.samples[1].devices[0].items[0].status == errSecInteractionNotAllowed)
    }

    @Test func `say which class keys are in memory`() throws {
        let run = try Scenario.of(
            #"{"do": "lock"}, {"do": "reboot"}, {"do": "unlock"}"#
        ).runOnce()
        let keys = run.samples.map { Set($0.devices[0].classKeys) }
        let always: Set = ["Always", "AlwaysThisDeviceOnly"]
        let later = always.union(["AfterFirstUnlock", "AfterFirstUnlockThisDeviceOnly"])
        #expect(keys[0].count == 7)
        #expect(keys[1] == later)
        #expect(keys[2] == always)
        #expect(keys[3] == keys[0])
        let states = run.samples.map { $0.devices[0].state }
        #expect(states == ["unlocked", "locked", "beforeFirstUnlock", "unlocked"])
    }

    @Test func `see the moment at which a grace period ends`() throws {
        let run = try Scenario.of(
            items: token,
            """
            {"do": "add", "item": "token"}, {"at": 5, "do": "lock", "grace": 10},
            {"at": 30, "do": "unlock"}, {"at": 40, "do": "lock", "grace": 10},
            {"at": 45, "do": "unlock"}, {"at": 90, "do": "read", "item": "token"}
            """
        ).runOnce()
        #expect(run.samples.map(\.at) == [0, 0, 5, 15, 30, 40, 45, 90])
        #expect(run.samples.map(\.step) == [0, 1, 2, 2, 3, 4, 5, 6])
        #expect(run.outcomes(of: "token")[2...4] == [.readable, .locked, .readable])
    }

    @Test func `are taken without a trace`() throws {
        let device = try SimulatedDevice()
        let app = device.install(.init(bundleIdentifier: "com.example.app"))
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: "x",
            kSecAttrService as String: "y", kSecAttrLabel as String: "z",
        ]
        let (status, asked) = app.lookingAhead {
            SecItemCopyMatching(query as CFDictionary, nil)
        }
        #expect(status == errSecItemNotFound)
        #expect(asked == nil)
        let refused = app.lookingAhead { SecItemDelete(query as CFDictionary) }
        #expect(refused.0 == errSecUnimplemented)
        let item = query.merging([kSecAttrAccessible as String: String.always]) { $1 }
        #expect(app.run { SecItemAdd(item as CFDictionary, nil) } == errSecSuccess)
        #expect(device.prompts.isEmpty)
        // A search that was really made before would have brought QRY-32.
        #expect(device.findings.map(\.rule) == ["deprecated-always"])
    }
}
