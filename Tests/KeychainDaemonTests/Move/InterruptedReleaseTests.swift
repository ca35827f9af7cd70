import EngineTestSupport
import Foundation
import KeychainEngine
import KeychainHost
import KeychainModel
import TestSupport
import Testing

@testable import KeychainDaemon

private let everybody = ["ada", "bob", "eve"]
private let passcode = EngineFixture.secret(EngineFixture.passcode)

extension MovingHouse {
    fileprivate func adopt(into daemon: HouseDaemon) throws(KeychainError) {
        _ = try KeychainDeparture(home, into: daemon, prove: { nil }, open: Self.open).run()
    }

    fileprivate func release(
        from daemon: HouseDaemon,
        _ killer: Killer = Killer(at: nil)
    ) throws(KeychainError) -> KeychainReturn.Report {
        try KeychainReturn(home, from: daemon, effects: killer.effects, open: Self.open)
            .run(passcode: passcode)
    }
}

@Suite(.requirement("DMN-14")) struct `A move out of the daemon that something interrupts` {
    private let house: MovingHouse

    init() throws {
        house = try MovingHouse()
        try house.fill()
        try house.adopt(into: HouseDaemon(house))
    }

    @Test func `takes its place also where a program that locks made a directory`() throws {
        try FileManager.default.createDirectory(
            atPath: house.home.directory,
            withIntermediateDirectories: false
        )
        #expect(
            FileManager.default.createFile(
                atPath: house.home.directory + "/lock-epoch",
                contents: Data([1])
            )
        )
        let report = try house.release(from: HouseDaemon(house))
        #expect(report.kept == [house.home.directory + ".before-release"])
        #expect(house.accounts(house.home) == everybody)
    }

    /// The daemon's copy of an interrupted move was removed, and a new keychain made there.
    @Test func `keeps what an interrupted move left, if the daemon has another keychain`() throws {
        let daemon = HouseDaemon(house)
        // Its last step: the daemon has put its keychain aside.
        let last = Killer(at: try effectCount() - 2)
        #expect(throws: KeychainError.self) { try house.release(from: daemon, last) }
        let complete = house.home.directory + ".released"
        #expect(FileManager.default.fileExists(atPath: complete))
        let moving = KeychainReturn(house.home, from: daemon, open: MovingHouse.open)
        #expect(throws: KeychainError(.notAvailable, "")) { try moving.requireFinished() }
        // Nor is a keychain made anew in the directory, also where no mark says where it is.
        unlink(house.home.directory + ".in-daemon")
        #expect(throws: KeychainError(.notAvailable, "")) { try MovingHouse.open(house.home) }
        // A daemon of before removed it all the same, and serves the account again.
        for path in try FileManager.default.contentsOfDirectory(atPath: house.state) {
            try FileManager.default.removeItem(atPath: house.state + "/" + path)
        }
        let other = try daemon.engine(of: MovingHouse.account)
        try other.setPasscode(passcode, current: nil)
        let report = try house.release(from: HouseDaemon(house, mover: 2))
        #expect(report.kept == [complete + "-before"])
        let earlier = KeychainHome(directory: complete + "-before")
        #expect(house.accounts(earlier) == everybody)
    }

    /// How many effects a whole move has.
    private func effectCount() throws -> Int {
        let other = try MovingHouse()
        try other.fill()
        let daemon = HouseDaemon(other)
        try other.adopt(into: daemon)
        let killer = Killer(at: nil)
        _ = try other.release(from: HouseDaemon(other), killer)
        return killer.count
    }
}
