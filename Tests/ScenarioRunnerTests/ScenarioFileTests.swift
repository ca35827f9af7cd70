import Foundation
import TestSupport
import Testing

@testable import ScenarioRunner

private let all = #"""
    {"name": "a", "class": "Complete"}, {"name": "b", "class": "CompleteUnlessOpen"},
    {"name": "c"}, {"name": "d", "class": "None"}
    """#

@Suite struct `A file in a scenario` {
    @Test(.requirement("SIM-01"))
    func `locks as its class says, and shows it in every sample`() throws {
        let run = try Scenario.of(
            files: all,
            """
            {"do": "writeFile", "file": "a"}, {"do": "writeFile", "file": "b"},
            {"do": "writeFile", "file": "c"}, {"do": "writeFile", "file": "d"},
            {"do": "lock", "grace": 10},
            {"at": 10, "do": "readFile", "file": "a", "expect": 257}, {"do": "reboot"}
            """
        ).runOnce()
        #expect(run.holds)
        // At the start, four writes, within the grace period, after it, the read, the restart.
        #expect(
            run.outcomes(ofFile: "a")
                == [.absent] + Array(repeating: .readable, count: 5) + [.locked, .locked, .locked]
        )
        #expect(run.outcomes(ofFile: "b").suffix(3) == [.locked, .locked, .locked])
        #expect(run.outcomes(ofFile: "c").suffix(3) == [.readable, .readable, .locked])
        #expect(run.outcomes(ofFile: "d").suffix(3) == [.readable, .readable, .readable])
    }

    @Test func `is closed, deleted and given another class`() throws {
        let run = try Scenario.of(
            files: all,
            """
            {"do": "readFile", "file": "a", "expect": "CocoaError.fileReadNoSuchFile"},
            {"do": "closeFile", "file": "a", "expect": "CocoaError.fileReadUnknown"},
            {"do": "writeFile", "file": "a"}, {"do": "openFile", "file": "a"},
            {"do": "lock"}, {"do": "readFile", "file": "a", "expect": 257},
            {"do": "writeFile", "file": "a", "expect": 513},
            {"do": "writeFile", "file": "c"},
            {"do": "protectFile", "file": "c", "class": "Complete", "expect": 513},
            {"do": "unlock"}, {"do": "readFile", "file": "a"},
            {"do": "protectFile", "file": "a", "class": "None"}, {"do": "reboot"},
            {"do": "readFile", "file": "a"}, {"do": "deleteFile", "file": "a"},
            {"do": "readFile", "file": "a", "expect": 260},
            {"do": "deleteFile", "file": "a", "expect": "CocoaError.fileNoSuchFile"}
            """
        ).runOnce()
        #expect(run.steps.filter { !$0.holds }.map { "\($0.event): \($0.observed.code)" } == [])
    }

    @Test(.requirement("FDP-10"))
    func `under an item's value needs both layers`() throws {
        let run = try Scenario.of(
            items: #"""
                {"name": "vault", "accessible": "WhenUnlockedThisDeviceOnly"},
                {"name": "early", "accessible": "AfterFirstUnlock"}
                """#,
            files: #"""
                {"name": "both", "class": "Complete", "key": "vault"},
                {"name": "file", "class": "None", "key": "vault"},
                {"name": "item", "class": "Complete", "key": "early"}
                """#,
            """
            {"do": "writeFile", "file": "both", "expect": "errSecItemNotFound"},
            {"do": "add", "item": "vault"}, {"do": "add", "item": "early"},
            {"do": "writeFile", "file": "both"}, {"do": "writeFile", "file": "file"},
            {"do": "writeFile", "file": "item"}, {"do": "readFile", "file": "both"},
            {"do": "lock"}, {"do": "readFile", "file": "both", "expect": -25308},
            {"do": "readFile", "file": "file", "expect": -25308},
            {"do": "read", "item": "early"}, {"do": "readFile", "file": "item", "expect": 257},
            {"do": "unlock"}, {"do": "readFile", "file": "both"},
            {"do": "update", "item": "vault", "value": "another"},
            {"do": "readFile", "file": "both", "expect": "CocoaError.fileReadCorruptFile"},
            {"do": "delete", "item": "vault"},
            {"do": "readFile", "file": "both", "expect": "errSecItemNotFound"}
            """
        ).runOnce()
        #expect(run.steps.filter { !$0.holds }.map { "\($0.event): \($0.observed.code)" } == [])
    }

    @Test func `stays open where its class permits it`() throws {
        let run = try Scenario.of(
            files: all,
            """
            {"do": "writeFile", "file": "a"}, {"do": "openFile", "file": "a"},
            {"do": "writeFile", "file": "b"}, {"do": "openFile", "file": "b"}, {"do": "lock"},
            {"do": "writeFile", "file": "b", "content": "more"}, {"do": "readFile", "file": "b"},
            {"do": "closeFile", "file": "b"}, {"do": "readFile", "file": "b", "expect": 257}
            """
        ).runOnce()
        #expect(run.holds)
        #expect(run.outcomes(ofFile: "a").last == .locked)
        let outcomes = run.outcomes(ofFile: "b").suffix(6)
        #expect(outcomes == [.readable, .open, .open, .open, .locked, .locked])
    }

    @Test func `is a row of the time line, and explains a refusal`() throws {
        let scenario = try Scenario.of(
            files: #"{"name": "diary", "class": "Complete"}"#,
            """
            {"do": "writeFile", "file": "diary"}, {"do": "lock"},
            {"do": "readFile", "file": "diary", "expect": 257}
            """
        )
        let report = try scenario.run(file: "a.json")
        let step = report.runs[0].steps[2]
        #expect(step.file == "diary" && step.item == nil && step.verb == "readFile")
        #expect(step.observed.name == "CocoaError.fileReadNoPermission")
        #expect(step.explanation?.fileClass == "Complete")
        let lanes = Lane.all(of: report.runs[0], device: 0)
        #expect(lanes.last?.name == "file diary")
        let words = lanes.last?.cells.map { $0?.words }
        #expect(words == ["absent", "readable", "locked", "locked"])
        #expect(HTMLReport([report]).text.contains("file diary"))
    }

    /// ★ Files that are refused, and why.
    private static let faults = [
        (#"{"name": "a/b"}"#, "files[0].name: a file's name has no slash"),
        (#"{"name": ".a"}"#, "files[0].name: a file's name has no slash"),
        (#"{"name": "a", "class": "A"}"#, "files[0].class: one of Complete, CompleteUnlessOpen"),
        (#"{"name": "a", "key": "x"}"#, "files[0].key: there is no item 'x'"),
        (#"{"name": "a"}, {"name": "a"}"#, "files[1]: the name 'a' occurs twice"),
    ]

    @Test(arguments: faults)
    func `is read strictly`(files: String, reason: String) {
        let error = #expect(throws: ScenarioError.self) {
            try Scenario.of(files: files, #"{"do": "lock"}"#)
        }
        #expect(error?.description.contains(reason) == true)
    }
}
