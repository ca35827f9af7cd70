import Foundation
import KeychainMessages
import KeychainModel
import TestSupport
import Testing

@testable import KeychainCommand

/// A directory that goes with the value.
private final class Folder {
    let path = NSTemporaryDirectory() + "keychain-backup-" + UUID().uuidString

    init() throws {
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true
        )
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path) }
    }
}

@Suite struct `The commands backup and restore` {
    private let folder: Folder
    private let file: String

    init() throws {
        folder = try Folder()
        file = folder.path + "/keychain.backup"
    }

    private func run(
        _ words: [String],
        on endpoint: any Endpoint,
        _ input: String = ""
    ) -> (status: Int32, output: String, diagnostics: String) {
        let terminal = TestTerminal(input: Array(input.utf8))
        let status = TestKeychain.run(["keychainctl"] + words, on: endpoint, terminal)
        return (status, terminal.outputText, terminal.diagnosticsText)
    }

    private func filled() throws -> any Endpoint {
        let endpoint = try TestKeychain.endpoint()
        let words = ["add-generic-password", "-s", "mail", "-a"]
        #expect(run(words + ["alice"], on: endpoint, "hunter2").status == 0)
        #expect(run(words + ["bob"], on: endpoint, "hunter3").status == 0)
        return endpoint
    }

    @Test func `write a file for the owner alone, and read it back`() throws {
        let endpoint = try filled()
        let made = run(["backup", file], on: endpoint, "tundra-velvet-orbit-mango\n")
        #expect(made.status == 0)
        #expect(made.output == "items  2\n")
        #expect(made.diagnostics == "")
        #expect(try folder.names == ["keychain.backup"])
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
        #expect(mode as? Int == 0o600)

        _ = run(["delete-generic-password", "-a", "bob"], on: endpoint)
        let restored = run(["restore", file], on: endpoint, "tundra-velvet-orbit-mango\n")
        #expect(restored.status == 0)
        #expect(
            restored.output == """
                restored           1
                kept, not older    1
                deleted since      0
                of another device  0
                kept: genp mail in TEAM.mail

                """
        )
        let found = run(["find-generic-password", "-a", "bob", "-w"], on: endpoint)
        #expect(found.output == "hunter3\n")
    }

    @Test func `count in JSON`() throws {
        let endpoint = try filled()
        let made = run(["backup", "--json", file], on: endpoint, "tape\n")
        #expect(made.output.contains("\"items\": 2"))
        let restored = run(["restore", "--json", file], on: endpoint, "tape\n")
        #expect(restored.output.contains("\"restored\": 0"))
        #expect(restored.output.contains("\"kept\": 2"))
        #expect(restored.output.contains("\"replaced\": false"))
    }

    /// Two portable items, and three that stay: in the backup for this device, gated, and a key.
    private func filledWithStaying() throws -> any Endpoint {
        let endpoint = try filled()
        let add = ["add-generic-password", "-s", "bound", "-a"]
        let bound = ["--accessible", "AfterFirstUnlockThisDeviceOnly"]
        #expect(run(add + ["carol"] + bound, on: endpoint, "t0p").status == 0)
        _ = run(["passcode", "set"], on: endpoint, "1234\n")
        let gate = ["--require", "userPresence"]
        #expect(run(add + ["dave"] + gate, on: endpoint, "t0p").status == 0)
        let server = ["add-internet-password", "-s", "h", "-a", "eve"] + bound
        #expect(run(server, on: endpoint, "t0p").status == 0)
        return endpoint
    }

    @Test(.requirement("USE-07")) func `say how many items will not travel, and of which classes`()
        throws
    {
        let made = run(
            ["backup", file],
            on: try filledWithStaying(),
            "tundra-velvet-orbit-mango\n"
        )
        #expect(made.status == 0, "\(made.diagnostics)")
        #expect(
            made.diagnostics == """
                keychainctl: warning: 3 items will not travel to another machine: \
                2 generic passwords, 1 internet password (2 ThisDeviceOnly, which only this \
                device can restore; 1 has an access control)

                """
        )
    }

    @Test(.requirement("USE-07")) func `count in JSON what will not travel`() throws {
        let made = run(["backup", "--json", file], on: try filledWithStaying(), "tape\n")
        let object = try JSONSerialization.jsonObject(with: Data(made.output.utf8))
        let report = try #require((object as? [String: Any])?["notTravelling"] as? [String: Any])
        #expect(report["items"] as? Int == 3)
        #expect(report["thisDeviceOnlyInBackup"] as? Int == 2)
        let classes = try #require(report["classes"] as? [String: Int])
        let counts: [ItemClass: Int] = [.genericPassword: 2, .internetPassword: 1]
        #expect(classes == [String: Int](uniqueKeysWithValues: counts.map { ($0.rawValue, $1) }))
        #expect(!made.output.contains("t0p"))
    }

    @Test(.requirement("BAK-12")) func `change nothing for a wrong password`() throws {
        let endpoint = try filled()
        #expect(run(["backup", file], on: endpoint, "tape\n").status == 0)
        let other = try TestKeychain.endpoint()
        let refused = run(["restore", file], on: other, "type\n")
        #expect(refused.status == 51)
        #expect(refused.diagnostics.hasPrefix("keychainctl: errSecAuthFailed (-25293): "))
        #expect(run(["find-generic-password", "-s", "mail"], on: other).status == 44)
    }

    @Test func `leave the old backup alone when the new one fails`() throws {
        let endpoint = try filled()
        try Data("the old one".utf8).write(to: URL(fileURLWithPath: file))
        _ = run(["passcode", "set"], on: endpoint, "1234\n")
        _ = run(["lock-keychain"], on: endpoint)
        #expect(run(["backup", file], on: endpoint, "tape\n").status == 36)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "the old one")
        #expect(try folder.names == ["keychain.backup"])
    }

    @Test func `overwrite what an interrupted backup has left`() throws {
        let endpoint = try filled()
        try Data("half".utf8).write(to: URL(fileURLWithPath: file + ".new"))
        #expect(run(["backup", file], on: endpoint, "tape\n").status == 0)
        #expect(try folder.names == ["keychain.backup"])
        #expect(run(["restore", file], on: try TestKeychain.endpoint(), "tape\n").status == 0)
    }

    @Test func `refuse what is no backup`() throws {
        let endpoint = try TestKeychain.endpoint()
        try Data("no backup".utf8).write(to: URL(fileURLWithPath: file))
        let decode = Int32(UInt8(truncatingIfNeeded: -26275))
        #expect(run(["restore", file], on: endpoint, "tape\n").status == decode)
        #expect(run(["restore", folder.path], on: endpoint, "tape\n").status == 206)
        #expect(run(["restore", file + ".absent"], on: endpoint, "tape\n").status != 0)
        #expect(run(["restore"], on: endpoint).status == 2)
    }

    @Test func `ask a person for a new password twice`() throws {
        let endpoint = try filled()
        let terminal = TestTerminal(typing: ["tape", "type"])
        let status = TestKeychain.run(["keychainctl", "backup", file], on: endpoint, terminal)
        #expect(status == 206)
        #expect(terminal.diagnosticsText.contains("the two entries differ"))
        #expect(try folder.names == [])
    }
}
