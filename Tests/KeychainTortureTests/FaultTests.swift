import TestSupport
import Testing

/// Slices of what `Scripts/torture.sh` does at length: so many rounds of a seed, however long the
/// machine takes, and each slice counts what it did.
@Suite(.serialized) struct `A disk that fails` {
    private let tool: TortureTool

    init() throws { tool = try TortureTool() }

    @Test(
        .requirement("STO-12", "LCK-07"),
        arguments: [
            "add", "set a passcode", "change the passcode", "take over rows",
        ]
    )
    func `at any step of a verb leaves the old state or the new one`(verb: String) throws {
        let result = try tool.run("faults", "--verb", verb, "--every", "4", "--seed", "3")
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.figure("faults") >= 12)
        #expect(result.output.figure("read-faults") >= 1)
    }

    @Test(arguments: ["demand the passcode for an item", "demand nothing for an item"])
    func `leaves an item under its old access control or its new one`(verb: String) throws {
        let result = try tool.run("faults", "--verb", verb, "--every", "4", "--seed", "3")
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.figure("faults") >= 25)
        #expect(result.output.figure("read-faults") >= 2)
    }

    @Test func `while a keychain is made leaves none, or one that works`() throws {
        let result = try tool.run("faults", "--verb", "create", "--every", "4")
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.figure("faults") >= 150)
    }

    @Test func `is told from a verb that does not exist`() throws {
        let result = try tool.run("faults", "--verb", "no such verb")
        #expect(result.output.figure("faults") == 0)
    }
}

@Suite(.serialized) struct `A disk that loses power` {
    private let tool: TortureTool

    init() throws { tool = try TortureTool() }

    @Test(.requirement("STO-12"), arguments: ["7", "8"])
    func `keeps every acknowledged item, whatever was not yet durable`(seed: String) throws {
        let result = try tool.run("power-loss", "--every", "14", "--seed", seed)
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.figure("complete-lives") == 1)
        #expect(result.output.figure("returns") >= 5)
        #expect(result.output.figure("states") >= 200)
    }

    @Test(.requirement("MIG-06"), arguments: ["1", "2"])
    func `keeps every entry that a migration's journal called durable`(seed: String) throws {
        let result = try tool.run("journal", "--seed", seed)
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.figure("complete-journals") == 1)
        #expect(result.output.figure("returns") == 9)
        #expect(result.output.figure("states") == 63)
    }

    @Test func `loses acknowledged items where nothing is made durable`() throws {
        let result = try tool.run("power-loss", "--seed", "7", "--without-syncs", "1")
        #expect(result.status == 1, "\(result.output)")
        #expect(result.output.contains("power cut after change"))
        #expect(result.output.contains("--seed 7"))
    }
}

@Suite struct `A keychain with one byte changed` {
    @Test(.requirement("STO-02"))
    func `never gives a wrong value and deletes nothing`() throws {
        let result = try TortureTool().run("damage", "--damages", "1000", "--seed", "5")
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.figure("flips") + result.output.figure("truncations") == 1000)
        #expect(result.output.figure("flips") >= 400)
        #expect(result.output.figure("truncations") >= 400)
        #expect(result.output.figure("refused") > 0)
        #expect(result.output.figure("hidden") > 0)
        #expect(result.output.figure("rows-put-back") > 0)
        #expect(result.output.figure("rows-taken-away") > 0)
    }
}

@Suite(.serialized) struct `Eight processes with eight threads each` {
    @Test(.requirement("STO-13"))
    func `see every key change in one order`() throws {
        let result = try TortureTool().run("concurrency", "--calls", "30", "--seed", "11")
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.figure("calls") == 8 * 8 * 30)
        #expect(result.output.figure("keys") == 48)
    }
}
