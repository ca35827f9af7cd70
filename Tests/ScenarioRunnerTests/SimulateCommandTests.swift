import Foundation
import TestSupport
import Testing

@testable import ScenarioRunner

/// The `keychainctl` command, which is built beside the tests.
private struct Keychain {
    let folder = FileManager.default.temporaryDirectory
        .appending(path: "simulate-\(UUID().uuidString)")
    private let executable: URL

    init() throws {
        executable = URL(filePath: try BuiltPrograms.path("keychainctl"))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    func file(_ name: String, _ text: String) throws -> String {
        let file = folder.appending(path: name)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    /// Runs `keychainctl simulate` with a keychain that must stay unopened.
    func simulate(_ words: [String]) throws -> (status: Int32, output: String, errors: String) {
        let environment = ["KEYCHAIN_HOME": folder.path + "/keychain", "PATH": "/usr/bin"]
        let result = try TestProgram(
            [executable.path, "simulate"] + words,
            environment: environment
        ).run(joinsErrors: false)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/keychain"))
        return (result.status, result.output, result.errors)
    }
}

private let locked = """
    {"title": "Locked", "items": [{"name": "x"}], "events": [
        {"do": "add", "item": "x"}, {"do": "lock"},
        {"at": 9, "do": "read", "item": "x", "in": "background",
         "expect": {"device": -25308, "iOSSimulator": 0}}
    ]}
    """

private let disputed = """
    {"title": "Two factors",
     "items": [{"name": "x", "require": ["biometryAny", "devicePasscode"]}],
     "events": [{"do": "add", "item": "x", "expect": {"documented": -50, "appleSource": 0}}]}
    """

/// Everything that can happen to a device.
private let everything = """
    {"title": "Everything", "items": [{"name": "x"}], "events": [
        {"do": "add", "item": "x"}, {"do": "lock"}, {"do": "unlock"},
        {"do": "lock"}, {"do": "unlockWithBiometry"}, {"do": "read", "item": "x"},
        {"do": "reboot"}, {"do": "read", "item": "x", "expect": -25308}, {"do": "unlock"},
        {"do": "setPasscode", "passcode": "1111"}, {"do": "enroll", "finger": "twin"},
        {"do": "removeEnrollment", "finger": "twin"}, {"do": "enroll", "finger": "twin"},
        {"do": "read", "item": "x"}, {"do": "removePasscode"}, {"do": "read", "item": "x"},
        {"do": "setPasscode", "passcode": "2222", "current": null},
        {"at": 100, "do": "lock", "grace": 10}, {"at": 109, "do": "read", "item": "x"},
        {"at": 110, "do": "read", "item": "x", "expect": -25308},
        {"do": "unlock"}, {"do": "erase"}, {"do": "install"},
        {"do": "read", "item": "x", "expect": "errSecItemNotFound"}
    ]}
    """

@Suite struct `The command simulate` {
    @Test(.requirement("SIM-08"))
    func `does to a device whatever can be done to it`() throws {
        let keychain = try Keychain()
        defer { keychain.remove() }
        let (status, output, errors) = try keychain.simulate([
            keychain.file("a.json", everything), "--json",
        ])
        #expect(status == 0, "\(output)\n\(errors)")
    }

    @Test(.requirement("SIM-20", "SIM-22"))
    func `shows expected and observed side by side, and why`() throws {
        let keychain = try Keychain()
        defer { keychain.remove() }
        let (status, output, errors) = try keychain.simulate([
            keychain.file("a.json", locked), "--with-simulator",
        ])
        #expect(status == 0)
        #expect(errors.isEmpty)
        #expect(
            output == """
                Locked
                      TIME  EVENT                        EXPECTED  OBSERVED  SIMULATOR  OBSERVED
                  ok  0 s   1. add x                     0         0         0          0
                  ok  0 s   2. lock                      0         0         0          0
                  ok  9 s   3. read x in the background  -25308    -25308    0          0      \
                   hidden by the Simulator
                  3 (device): errSecInteractionNotAllowed (-25308): the keychain is locked, and \
                this item is WhenUnlocked; the device is locked, and the program is in the \
                background (genericPassword, WhenUnlocked)

                """
        )
    }

    @Test func `names the device of each event where there are several`() throws {
        let keychain = try Keychain()
        defer { keychain.remove() }
        let text = """
            {"title": "Two", "devices": [{"name": "old"}, {"name": "new"}],
             "events": [{"do": "lock"}, {"do": "lock", "on": "new"}]}
            """
        let (_, output, _) = try keychain.simulate([keychain.file("a.json", text)])
        #expect(
            output == """
                Two
                      TIME  DEVICE  EVENT    EXPECTED  OBSERVED
                  ok  0 s   old     1. lock  0         0
                  ok  0 s   new     2. lock  0         0

                """
        )
    }

    @Test func `compares the guides with Apple's source`() throws {
        let keychain = try Keychain()
        defer { keychain.remove() }
        let file = try keychain.file("a.json", disputed)
        let (status, output, errors) = try keychain.simulate([file, "--behavior", "both"])
        #expect(status == 0)
        #expect(errors.isEmpty)
        #expect(
            output.hasPrefix(
                """
                Two factors
                      TIME  EVENT     documented  OBSERVED  appleSource  OBSERVED
                  ok  0 s   1. add x  -50         -50       0            0         guides and \
                Apple's source disagree
                  1 (documented): errSecParam (-50): Two authentication flags are combined without \
                .or or .and (genericPassword, WhenUnlocked behind biometryAny devicePasscode) \
                [documented: nil and errSecParam (-50); appleSource: both are required.
                """
            )
        )
        #expect(output.contains("SimulatedDevice(behavior: .appleSource)"))
        let (one, alone, _) = try keychain.simulate([file, "--behavior", "appleSource", "--tap"])
        #expect(one == 0)
        #expect(alone.contains("ok 1 - Two factors (device, appleSource): 1. add x"))
        let (four, all, _) = try keychain.simulate([
            file, "--behavior", "both", "--with-simulator", "--tap",
        ])
        #expect(four == 0)
        #expect(all.contains("ok 4 - Two factors (iOSSimulator, appleSource): 1. add x"))
    }

    @Test func `refuses a behavior that does not exist`() throws {
        let keychain = try Keychain()
        defer { keychain.remove() }
        let file = try keychain.file("a.json", disputed)
        let (status, output, errors) = try keychain.simulate([file, "--behavior", "guides"])
        #expect(status == 2)
        #expect(output.isEmpty)
        #expect(
            errors.contains("invalid value for --behavior: give documented, appleSource or both")
        )
    }

    @Test func `exits with 1 when an expectation does not hold`() throws {
        let keychain = try Keychain()
        defer { keychain.remove() }
        let text = locked.replacing("-25308", with: "0")
        let (status, output, errors) = try keychain.simulate([keychain.file("a.json", text)])
        #expect(status == 1)
        #expect(output.contains("\n  FAILED  9 s"))
        let line = "keychainctl: 1 statuses differ from the expected ones; see FAILED above\n"
        #expect(errors == line)
    }

    @Test func `exits with 2, and runs nothing, when a file is at fault`() throws {
        let keychain = try Keychain()
        defer { keychain.remove() }
        let good = try keychain.file("a.json", locked)
        let bad = try keychain.file("b.json", locked.replacing("\"at\": 9", with: "\"at\": -9"))
        let (status, output, errors) = try keychain.simulate([good, bad])
        #expect(status == 2)
        #expect(output.isEmpty)
        #expect(errors == "keychainctl: \(bad): events[2].at: seconds are from 0 to 1000000000\n")
    }

    @Test(.requirement("SIM-20")) func `writes JSON and files`() throws {
        let keychain = try Keychain()
        defer { keychain.remove() }
        let page = keychain.folder.appending(path: "report.html")
        let suite = keychain.folder.appending(path: "report.xml")
        let (status, output, _) = try keychain.simulate([
            "--json", "--with-simulator", "--html", page.path, "--junit", suite.path,
            keychain.file("a.json", locked),
        ])
        #expect(status == 0)
        let reports = try JSONDecoder().decode([ScenarioReport].self, from: Data(output.utf8))
        #expect(reports.map(\.title) == ["Locked"])
        #expect(reports.first?.runs.map(\.codes) == [[0, 0, -25308], [0, 0, 0]])
        #expect(try String(contentsOf: page, encoding: .utf8) == HTMLReport(reports).text)
        #expect(try String(contentsOf: suite, encoding: .utf8) == JUnitReport(reports).text)
    }

    @Test func `writes TAP, but not with JSON`() throws {
        let keychain = try Keychain()
        defer { keychain.remove() }
        let file = try keychain.file("a.json", locked)
        let (status, output, _) = try keychain.simulate([file, "--tap"])
        #expect(status == 0)
        #expect(output.hasPrefix("TAP version 14\n1..3\nok 1 - Locked (device): 1. add x\n"))
        #expect(try keychain.simulate([file, "--tap", "--json"]).status == 2)
        #expect(try keychain.simulate([]).status == 2)
    }

    @Test func `says that a file cannot be written`() throws {
        let keychain = try Keychain()
        defer { keychain.remove() }
        let file = try keychain.file("a.json", locked)
        let (status, _, errors) = try keychain.simulate([file, "--html", "/dev/null/x.html"])
        #expect(status == 220)
        #expect(errors == "keychainctl: errSecIO (-36): /dev/null/x.html cannot be written\n")
    }
}
