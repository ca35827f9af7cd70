import Testing

/// Slices of what `Scripts/torture.sh` does at length to protected files.
@Suite(.serialized) struct `A protected file under torture` {
    private let tool: TortureTool

    init() throws { tool = try TortureTool() }

    @Test(arguments: ["9000"])
    func `has what was durable when the power was cut`(seed: String) throws {
        let result = try tool.run("files", "--part", "power", "--every", "3", "--seed", seed)
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.figure("complete-lives") == 1)
        #expect(result.output.figure("states") >= 150)
    }

    @Test func `loses content where nothing is made durable`() throws {
        let result = try tool.run("files", "--part", "power", "--without-syncs", "1", "--seed", "1")
        #expect(result.status == 1, "\(result.output)")
        #expect(result.output.contains("power cut after change"))
    }

    @Test func `is old or new after any operation of the disk fails`() throws {
        let result = try tool.run("files", "--part", "faults", "--every", "6", "--seed", "3")
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.figure("faults") >= 50)
    }

    @Test func `gives no wrong byte when it is damaged`() throws {
        let result = try tool.run("files", "--part", "damage", "--damages", "150", "--seed", "5")
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.figure("refused") > 50)
        #expect(result.output.figure("harmless") > 20)
        #expect(result.output.figure("swaps") + result.output.figure("repeats") > 10)
        #expect(result.output.figure("cuts") > 5)
    }

    @Test func `keeps what a killed process had made durable`() throws {
        let result = try tool.run("files", "--part", "kills", "--kills", "3", "--seed", "7")
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.figure("kills") == 3)
        #expect(result.output.figure("acknowledged-steps") > 5)
    }
}
