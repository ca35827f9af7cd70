import TestSupport
import Testing

@Suite struct `Processes with transactions` {
    @Test(.requirement("VLT-06")) func `leave them whole or undone when they are killed`() throws {
        let tool = try TortureTool()
        let result = try tool.run("vault", "--rounds", "1", "--kills", "6", "--seed", "7")
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.figure("kills") == 6)
    }
}
