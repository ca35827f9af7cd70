import EngineTestSupport
import Foundation
import Glibc
import KeychainModel
import TestSupport
import Testing

@testable import KeychainEngine

@Suite struct `The bytes of a backup on their way in` {
    private let home: TestHome
    private var database: String { home.root + "/keychain.db" }

    init() throws { home = try TestHome() }

    /// With a name for a moment, and without.
    @Test(.timeLimit(.minutes(10)), arguments: [true, false])
    func `do not disturb those of another restore that begins at the same time`(
        isNamed: Bool
    ) async throws {
        let database = database
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                group.addTask {
                    for round in 0..<500 {
                        var spool = try BackupSpool(beside: database, isNamed: isNamed)
                        let bytes = [UInt8(number), UInt8(round % 256)]
                        try spool.append(bytes)
                        let found = try spool.read(10)
                        #expect(found == bytes)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.root) == [])
    }

    @Test(arguments: [true, false])
    func `leave no file, and take one away that a kill has left`(isNamed: Bool) throws {
        let left = database + "-restore"
        try Data([1, 2, 3]).write(to: URL(filePath: left))
        var spool = try BackupSpool(beside: database, isNamed: isNamed)
        #expect(access(left, F_OK) != 0)
        let found = try spool.read(10)
        #expect(found == [])
    }
}
