import EngineTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

@testable import keychain_torture

@Suite(.serialized) struct `A daemon under torture` {
    private let tool: TortureTool

    init() throws { tool = try TortureTool() }

    private func torture(_ options: String) throws -> ProgramResult {
        try tool.run(["daemon"] + options.split(separator: " ").map(String.init))
    }

    @Test(.requirement("DMN-15", "DMN-17"), .timeLimit(.minutes(10)))
    func `loses nothing, keeps nobody waiting and lets go of everybody`() throws {
        let result = try torture("--kills 4 --storms 1 --prompts 2 --seed 1 --mode user")
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.figure("killed-daemons") > 0)
        #expect(result.output.figure("acknowledged-writes") > 0)
        // Beyond the account's share, a connection is refused or ends an idle one.
        let (refused, ended) = (
            result.output.figure("storm-refusals"), result.output.figure("storm-endings")
        )
        #expect(refused + ended > 0)
        #expect(result.output.figure("prompts") == 2)
        #expect(result.output.figure("hostile-programs") == HostileClient.allCases.count)
    }

    @Test(
        .requirement("DMN-02", "DMN-15", "DMN-17"),
        .enabled(if: geteuid() == 0, "only root has two accounts"),
        .timeLimit(.minutes(10))
    )
    func `keeps two accounts apart meanwhile`() throws {
        let result = try torture("--kills 4 --storms 1 --seed 2 --mode system")
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.figure("storm-connections") > 500)
    }
}

/// What a worker was told, and whether that can be.
private struct Told: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let lines: [String]
    let isPossible: Bool

    init(_ name: String, isPossible: Bool, _ lines: String...) {
        testDescription = name
        self.lines = lines
        self.isPossible = isPossible
    }

    // ★ Table:                    stage verb item value status
    static let all = [
        Told("nothing", isPossible: true),
        Told("a value that was added", isPossible: true, "end add i a 0", "end read i a 0"),
        Told("a value that nobody stored", isPossible: false, "end read i b 0"),
        Told("a lost add", isPossible: false, "end add i a 0", "end read i - -25300"),
        Told(
            "an add that a dead daemon did or did not do",
            isPossible: true,
            "end add i a -25291",
            "end read i - -25300"
        ),
        Told(
            "an add that came to nothing and then did",
            isPossible: false,
            "end add i a -25291",
            "end read i - -25300",
            "end read i a 0"
        ),
        Told(
            "an update that is undone",
            isPossible: false,
            "end add i a 0",
            "end update i b 0",
            "end read i a 0"
        ),
        Told(
            "an update that was cut off",
            isPossible: true,
            "end add i a 0",
            "end update i b -25291",
            "end update i c -25291",
            "end read i b 0"
        ),
        Told(
            "a delete that a killed program did not hear of",
            isPossible: true,
            "end add i a 0",
            "begin delete i -"
        ),
        Told("a second add", isPossible: false, "end add i a 0", "end add i b 0"),
        Told("a status of another kind", isPossible: false, "end read i - -25308"),
    ]
}

@Suite struct `What a daemon's items may be` {
    @Test(.requirement("DMN-15"), arguments: Told.all)
    private func `follows from what programs were told`(told: Told) {
        var values = PossibleValues()
        let complaints = values.follow(told.lines.compactMap { WorkerLine($0[...]) })
        #expect(complaints.isEmpty == told.isPossible, "\(complaints)")
    }

    @Test(.requirement("DMN-15"))
    func `has both outcomes of a call in which a program was killed`() {
        var values = PossibleValues()
        let lines = ["end add i a 0", "begin delete i -"]
        #expect(values.follow(lines.compactMap { WorkerLine($0[...]) }).isEmpty)
        #expect(values["i"] == ["a", nil])
        #expect(values.acknowledged == 1)
        #expect(values.unanswered == 1)
    }
}
