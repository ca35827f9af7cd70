import EngineTestSupport
import Foundation
import KeychainModel
import TestSupport
import Testing

@testable import KeychainEngine

@Suite(.serialized) struct `Processes that share a keychain` {
    private let tool: TortureTool

    init() throws { tool = try TortureTool() }

    @Test(.requirement("STO-13"))
    func `add each of a thousand items once`() throws {
        let result = try tool.run("crash", "--items", "1000", "--rounds", "0", "--kills", "0")
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.contains("2000 adds by 2 processes, 1000 items"))
    }

    @Test(.requirement("STO-13"))
    func `lose no update to each other`() throws {
        let result = try tool.run("crash", "--items", "100", "--rounds", "3", "--kills", "0")
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.contains("600 updates by 2 processes"))
    }

    @Test(.requirement("STO-12"))
    func `lose no acknowledged write when they are killed`() throws {
        let result = try tool.run("crash", "--items", "1", "--rounds", "1", "--kills", "40")
        #expect(result.status == 0, "\(result.output)")
    }

    @Test(.requirement("STO-12"), arguments: [1, 7, 40, 150])
    func `leave a sound database when they are killed`(lineCount: Int) throws {
        let home = try TestHome()
        let process = try tool.start(["worker", "add", "100000"], in: home)
        try (1...lineCount).forEach { _ in try process.hear(until: "\n") }
        let acknowledged = try process.end(SIGKILL).output.split(separator: "\n")
            .map { $0.split(separator: " ").map(String.init) }.filter { $0.last == "0" }
            .map { $0[2] }
        #expect(acknowledged.count >= lineCount)
        let keychain = try home.open(["keychain-torture"])
        let found = keychain.accounts(password(nil, service: "torture"))
        #expect(found.count - acknowledged.count <= 1)
        #expect(Set(found).isSuperset(of: acknowledged))
        let lost = acknowledged.filter { account in
            keychain.read(password(account, service: "torture")) != .value("added")
        }
        #expect(lost == [])
        let connection = try SQLiteConnection(opening: home.home.database)
        let check = try connection.prepare("PRAGMA integrity_check")
        #expect(try check.step(on: connection))
        #expect(check.bytes(at: 0) == Array("ok".utf8))
    }
}
