import KeychainModel
import TestSupport
import Testing

@testable import ScenarioRunner

@Suite struct `A command for a served device` {
    @Test(arguments: [
        (["lock"], "lock"),
        (["lock", "5s"], "lock with a grace period of 5 s"),
        (["lock", "grace=2m"], "lock with a grace period of 120 s"),
        (["unlock", "1234"], "unlock with the passcode"),
        (["unlock-with-biometry"], "unlock with a face or finger"),
        (["unlockWithBiometry"], "unlock with a face or finger"),
        (["reboot"], "reboot"),
        (["set-passcode", "1234"], "set the passcode"),
        (["set-passcode", "1234", "current=null"], "set the passcode"),
        (["remove-passcode"], "remove the passcode"),
        (["enroll", "twin"], "enroll twin"),
        (["present", "twin"], "the user in front of the device changes"),
        (["present", "null"], "the user in front of the device changes"),
        (["user", "cancels=yes"], "the user in front of the device changes"),
        (["location", "no"], "go to an unfamiliar location"),
        (["backup"], "make a backup"),
        (["erase"], "erase everything"),
    ])
    func `has the verbs of scenario files`(words: [String], meaning: String) throws {
        guard case .action(let action) = try DeviceCommand(words) else {
            Issue.record("\(words) is no action")
            return
        }
        #expect(ScenarioAction.device(action).words == meaning)
    }

    @Test func `installs an app with its groups`() throws {
        let words = ["install", "com.example.app", "team=ABCDE12345", "groups=one,two"]
        guard case .install(let manifest) = try DeviceCommand(words) else {
            Issue.record("no installation")
            return
        }
        #expect(manifest.bundleIdentifier == "com.example.app")
        #expect(manifest.teamIdentifier == "ABCDE12345")
        #expect(manifest.keychainAccessGroups == ["one", "two"])
    }

    @Test(arguments: [
        ("60s", 60.0), ("60", 60), ("5m", 300), ("2h", 7200), ("1d", 86_400), ("0.5", 0.5),
    ])
    func `advances the time by a number with a unit`(word: String, seconds: Double) throws {
        guard case .advance(let given) = try DeviceCommand(["advance", word]) else {
            Issue.record("no time")
            return
        }
        #expect(given == seconds)
    }

    @Test(arguments: [
        ([], "the command is missing"),
        (["locks"], "there is no command 'locks'"),
        (["add"], "there is no command 'add'"),
        (["reboot", "now"], "reboot: too many values: it takes no value"),
        (["enroll"], "enroll: the key finger is missing"),
        (["enroll", ""], "enroll finger: the text is empty"),
        (["lock", "5s", "grace=6s"], "lock grace: it is given twice"),
        (["lock", "soon"], "lock grace: a time such as 60s, 5m or 2h is expected"),
        (["advance", "-1s"], "advance time: seconds are from 0 to 1000000000"),
        (["advance", "nan"], "advance time: a time such as 60s, 5m or 2h is expected"),
        (["user", "cancels=perhaps"], "user cancels: yes or no is expected"),
        (Array(repeating: "lock", count: 40), "lock: too many words"),
    ])
    func `is refused with the fault`(words: [String], reason: String) {
        let error = #expect(throws: KeychainError.self) { try DeviceCommand(words) }
        #expect(error?.status == .param)
        #expect(error?.reason.hasPrefix(reason) == true, "\(error?.reason ?? "")")
    }

    @Test func `is told from a scenario file`() {
        #expect(DeviceCommand.isVerb("lock") && DeviceCommand.isVerb("set-passcode"))
        #expect(!DeviceCommand.isVerb("lock.json"))
    }
}
