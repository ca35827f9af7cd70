import EngineTestSupport
import Foundation
import KeychainEngine
import KeychainHost
import KeychainMessages
import KeychainModel
import TestSupport
import Testing

@testable import KeychainDaemon

private let everybody = ["ada", "bob", "eve"]
private let passcode = EngineFixture.secret(EngineFixture.passcode)

extension MovingHouse {
    fileprivate func adopt(
        into daemon: HouseDaemon,
        _ killer: Killer = Killer(at: nil),
        proving: Bool = false
    ) throws(KeychainError) -> KeychainDeparture.Report {
        try KeychainDeparture(
            home,
            into: daemon,
            effects: killer.effects,
            prove: { () throws(KeychainError) in proving ? passcode : nil },
            open: Self.open
        ).run()
    }

    fileprivate func release(
        from daemon: HouseDaemon,
        _ killer: Killer = Killer(at: nil)
    ) throws(KeychainError) -> KeychainReturn.Report {
        try KeychainReturn(home, from: daemon, effects: killer.effects, open: Self.open)
            .run(passcode: passcode)
    }
}

@Suite(.requirement("DMN-14")) struct `A keychain that moves into the daemon` {
    private let house: MovingHouse

    init() throws { house = try MovingHouse() }

    @Test func `is there with every item, and its directory is aside`() throws {
        try house.fill()
        let report = try house.adopt(into: HouseDaemon(house))
        #expect(report.itemCount == 3)
        #expect(report.groups == ["TEAM.app"])
        #expect(report.aside == house.root + "/share/keychain.before-daemon")
        #expect(house.accounts(house.inDaemon) == everybody)
        #expect(house.names == ["keychain.before-daemon", "keychain.in-daemon", "1000"])
    }

    @Test func `leaves a directory that is complete once its keybag has its name`() throws {
        try house.fill()
        let report = try house.adopt(into: HouseDaemon(house))
        let aside = KeychainHome(directory: report.aside)
        #expect(throws: KeychainError(.notAvailable, "")) { try MovingHouse.open(aside) }
        try require(rename(report.aside + "/keybag.moved", aside.keybag) == 0, "rename")
        #expect(house.accounts(aside) == everybody)
    }

    @Test func `is not made anew where it was, by a program that finds no daemon`() throws {
        try house.fill()
        _ = try house.adopt(into: HouseDaemon(house))
        let error = #expect(throws: KeychainError.self) { try MovingHouse.open(house.home) }
        #expect(error?.status == .notAvailable)
        #expect(error?.reason.contains("moved into the daemon") == true)
        #expect(access(house.home.keybag, F_OK) != 0)
    }

    @Test func `takes the place of an empty one`() throws {
        try house.fill()
        let daemon = HouseDaemon(house)
        _ = try daemon.engine(of: MovingHouse.account)
        _ = try house.adopt(into: daemon)
        #expect(house.accounts(house.inDaemon) == everybody)
        #expect(house.names.contains("1000.replaced-TIME"))
    }

    @Test func `is refused where the daemon has items, and stays where it was`() throws {
        try house.fill()
        let daemon = HouseDaemon(house)
        let engine = try daemon.engine(of: MovingHouse.account)
        MovingHouse.keychain(engine).add(password("other"), "x")
        let error = #expect(throws: KeychainError.self) { try house.adopt(into: daemon) }
        #expect(error?.status == .duplicateItem)
        #expect(error?.reason.contains("keychainctl restore") == true)
        #expect(house.accounts(house.home) == everybody)
    }

    @Test func `is refused twice when a copy of it was put back`() throws {
        try house.fill()
        let daemon = HouseDaemon(house)
        let report = try house.adopt(into: daemon)
        try require(rename(report.aside + "/keybag.moved", report.aside + "/keybag") == 0, "rename")
        try require(rename(report.aside, house.home.directory) == 0, "rename")
        #expect(throws: KeychainError(.duplicateItem, "")) { try house.adopt(into: daemon) }
        #expect(house.accounts(house.home) == everybody)
    }

    @Test func `is refused where there is none`() throws {
        #expect(throws: KeychainError(.noSuchKeychain, "")) {
            try house.adopt(into: HouseDaemon(house))
        }
    }

    @Test func `does not move while its migration is interrupted`() throws {
        try house.fill()
        _ = FileManager.default.createFile(
            atPath: house.home.directory + "/migration.journal",
            contents: Data()
        )
        #expect(throws: KeychainError(.notAvailable, "")) {
            try house.adopt(into: HouseDaemon(house))
        }
        #expect(house.accounts(house.home) == everybody)
    }

    @Test func `takes what another process adds until it moves, and nothing later`() throws {
        try house.fill()
        let other = try MovingHouse.open(house.home)
        try other.unlock(passcode: passcode)
        let keychain = MovingHouse.keychain(other)
        #expect(keychain.add(password("late"), "value of late") == .success)
        _ = try house.adopt(into: HouseDaemon(house))
        #expect(keychain.add(password("later"), "x") != .success)
        #expect(keychain.update(password("ada"), "x") != .success)
        #expect(keychain.delete(password("ada")) != .success)
        #expect(keychain.read(password("ada")).value == nil)
        #expect(keychain.status(.device(.setPasscode(passcode, current: passcode))) != .success)
        #expect(house.accounts(house.inDaemon) == ["ada", "bob", "eve", "late"])
    }

    @Test func `is closed for a process without a passcode, too`() throws {
        let other = try MovingHouse.open(house.home)
        let keychain = MovingHouse.keychain(other)
        #expect(keychain.add(password("ada"), "value of ada") == .success)
        _ = try house.adopt(into: HouseDaemon(house))
        #expect(keychain.add(password("later"), "x") != .success)
        #expect(keychain.read(password("ada")).value == nil)
    }

    @Test(arguments: 0..<40)
    func `is in use once at most, and complete, when the command is killed`(place: Int) throws {
        try house.fill()
        let killer = Killer(at: place)
        let report = try? house.adopt(into: HouseDaemon(house), killer)
        #expect((report == nil) == killer.isDead)
        try expectOneAtMost()
        // The next command finishes, or starts over.
        _ = try? house.adopt(into: HouseDaemon(house, mover: 2))
        #expect(house.accounts(house.inDaemon) == everybody)
        #expect(house.accounts(house.home) == nil)
        #expect(house.names == ["keychain.before-daemon", "keychain.in-daemon", "1000"])
    }

    @Test(arguments: 0..<12)
    func `is in use once at most, and complete, when the daemon is killed`(place: Int) throws {
        try house.fill()
        let killer = Killer(at: place)
        let daemon = HouseDaemon(house, killer)
        _ = try? daemon.engine(of: MovingHouse.account)
        _ = try? house.adopt(into: daemon)
        daemon.stop()
        try expectOneAtMost()
        _ = try? house.adopt(into: HouseDaemon(house))
        #expect(house.accounts(house.inDaemon) == everybody)
        #expect(house.accounts(house.home) == nil)
    }

    /// Both are complete or not there; never are two open to programs.
    private func expectOneAtMost() throws {
        let embedded = house.accounts(house.home)
        let daemon = HouseDaemon(house)
        // A daemon mends what a crash left before it opens anything.
        try? daemon.requests.prepareOpening(of: MovingHouse.account)
        let adopted = house.accounts(house.inDaemon).flatMap { $0.isEmpty ? nil : $0 }
        #expect(embedded == nil || embedded == everybody)
        #expect(adopted == nil || adopted == everybody)
        #expect(embedded == nil || adopted == nil)
        guard embedded == nil, adopted == nil else { return }
        // Neither is in use: both are complete, and the next command finishes.
        #expect(access(house.home.directory + "/keybag.moved", F_OK) == 0)
    }
}

@Suite(.requirement("DMN-14")) struct `A keychain that moves out of the daemon` {
    private let house: MovingHouse

    init() throws {
        house = try MovingHouse()
        try house.fill()
        _ = try house.adopt(into: HouseDaemon(house))
    }

    @Test func `is in its directory again with every item`() throws {
        let report = try house.release(from: HouseDaemon(house))
        #expect(report.itemCount == 3)
        #expect(report.aside == house.state + "/1000.released-1790000000")
        #expect(house.accounts(house.home) == everybody)
        #expect(house.accounts(KeychainHome(directory: report.aside)) == everybody)
        #expect(house.names == ["keychain", "keychain.before-daemon", "1000.released-TIME"])
    }

    @Test func `gets its directory where the account has none above it either`() throws {
        try FileManager.default.removeItem(atPath: house.root + "/share")
        _ = try house.release(from: HouseDaemon(house))
        #expect(house.accounts(house.home) == everybody)
    }

    @Test func `brings back what was added in the daemon`() throws {
        let daemon = HouseDaemon(house)
        let engine = try daemon.engine(of: MovingHouse.account)
        try engine.unlock(passcode: passcode)
        #expect(MovingHouse.keychain(engine).add(password("new"), "value of new") == .success)
        _ = try house.release(from: daemon)
        #expect(house.accounts(house.home) == ["ada", "bob", "eve", "new"])
    }

    @Test func `is not made anew in the daemon`() throws {
        let daemon = HouseDaemon(house)
        _ = try house.release(from: daemon)
        let error = #expect(throws: KeychainError.self) {
            try daemon.engine(of: MovingHouse.account)
        }
        #expect(error?.status == .notAvailable)
        #expect(error?.reason.contains("KEYCHAIN_SOCKET=") == true)
    }

    @Test func `can move in once more`() throws {
        let daemon = HouseDaemon(house)
        _ = try house.release(from: daemon)
        #expect(throws: KeychainError(.authFailed, "")) { try house.adopt(into: daemon) }
        let report = try house.adopt(into: daemon, proving: true)
        #expect(report.aside == house.root + "/share/keychain.before-daemon-2")
        #expect(house.accounts(house.inDaemon) == everybody)
    }

    @Test func `needs the passcode`() throws {
        let daemon = HouseDaemon(house)
        let wrong = EngineFixture.secret("0000")
        #expect(throws: KeychainError(.authFailed, "")) {
            try KeychainReturn(house.home, from: daemon, open: MovingHouse.open)
                .run(passcode: wrong)
        }
        #expect(try daemon.engine(of: MovingHouse.account).attemptsBeforeFirstUnlock() == 1)
        #expect(house.names == ["keychain.before-daemon", "keychain.in-daemon", "1000"])
    }

    @Test func `takes no other keychain's place`() throws {
        try require(mkdir(house.home.directory, 0o700) == 0, "mkdir")
        #expect(FileManager.default.createFile(atPath: house.home.database, contents: Data([1])))
        #expect(throws: KeychainError(.duplicateItem, "")) {
            try house.release(from: HouseDaemon(house))
        }
    }

    @Test func `answers nothing meanwhile, and is there again when it is given up`() throws {
        let daemon = HouseDaemon(house)
        _ = try daemon.perform(.beginRelease(passcode: passcode), by: 5)
        #expect(throws: KeychainError(.notAvailable, "")) {
            try daemon.engine(of: MovingHouse.account)
        }
        try daemon.requests.abandon(MovingHouse.account, by: 5)
        _ = try daemon.engine(of: MovingHouse.account)
    }

    @Test(arguments: 0..<30)
    func `is in use once at most, and complete, when the command is killed`(place: Int) throws {
        let killer = Killer(at: place)
        let report = try? house.release(from: HouseDaemon(house), killer)
        #expect((report == nil) == killer.isDead)
        try expectOneAtMost()
        if access(house.home.keybag, F_OK) != 0 {
            _ = try house.release(from: HouseDaemon(house, mover: 2))
        }
        #expect(house.accounts(house.home) == everybody)
        #expect(access(house.inDaemon.keybag, F_OK) != 0)
    }

    @Test(arguments: 0..<3)
    func `is in use once at most, and complete, when the daemon is killed`(place: Int) throws {
        let daemon = HouseDaemon(house, Killer(at: place))
        _ = try? house.release(from: daemon)
        daemon.stop()
        try expectOneAtMost()
        if access(house.home.keybag, F_OK) != 0 {
            _ = try house.release(from: HouseDaemon(house))
        }
        #expect(house.accounts(house.home) == everybody)
    }

    private func expectOneAtMost() throws {
        let embedded = house.accounts(house.home)
        let present = house.accounts(house.inDaemon)
        #expect(embedded == nil || embedded == everybody)
        #expect(present == nil || present == everybody)
        #expect(embedded == nil || present == nil)
        guard embedded == nil, present == nil else { return }
        let complete = KeychainHome(directory: house.home.directory + ".released")
        #expect(access(complete.keybag, F_OK) == 0)
        #expect(access(complete.database, F_OK) == 0)
    }
}

@Suite(.requirement("DMN-14", "DMN-17")) struct `A step of a move` {
    private let house: MovingHouse
    private let daemon: HouseDaemon

    init() throws {
        house = try MovingHouse()
        daemon = HouseDaemon(house)
    }

    /// Steps that come before the one they need.
    @Test(
        arguments: [
            .file(name: "keybag", offset: 0, bytes: [1]), .checkAdoption, .finishAdoption,
            .read(name: "keybag", offset: 0), .finishRelease,
        ] as [MoveRequest]
    )
    func `is refused out of order`(step: MoveRequest) {
        #expect(throws: KeychainError(.param, "")) { try daemon.perform(step, by: 1) }
    }

    @Test(
        arguments: [
            ("../1001/keybag", 0, 1), ("/etc/passwd", 0, 1), ("", 0, 1), ("grants", 0, 1),
            ("keybag", 1, 1), ("keybag", .max, 1), ("keybag", 0, 70_000),
            ("keychain.db", 0, 1 << 20),
        ] as [(String, UInt64, Int)]
    )
    func `takes only the next bytes of the files that move`(
        name: String,
        offset: UInt64,
        byteCount: Int
    ) throws {
        _ = try daemon.perform(.beginAdoption(keybag: []), by: 1)
        let bytes = [UInt8](repeating: 7, count: byteCount)
        #expect(throws: KeychainError.self) {
            try daemon.perform(.file(name: name, offset: offset, bytes: bytes), by: 1)
        }
        #expect(house.names == ["1000.adopting"])
    }

    @Test func `is one session's at a time`() throws {
        _ = try daemon.perform(.beginAdoption(keybag: []), by: 1)
        #expect(throws: KeychainError(.notAvailable, "")) {
            try daemon.perform(.beginAdoption(keybag: []), by: 2)
        }
        #expect(throws: KeychainError(.param, "")) {
            try daemon.perform(.file(name: "keybag", offset: 0, bytes: [1]), by: 2)
        }
        try daemon.requests.abandon(MovingHouse.account, by: 2)
        _ = try daemon.perform(.file(name: "keybag", offset: 0, bytes: [1]), by: 1)
        try daemon.requests.abandon(MovingHouse.account, by: 1)
        #expect(house.names == [])
        _ = try daemon.perform(.beginAdoption(keybag: []), by: 2)
    }

    @Test(arguments: [["keybag"], ["keybag", "secure-element"], MovingFile.names])
    func `puts nothing in use that is no keychain`(names: [String]) throws {
        _ = try daemon.perform(.beginAdoption(keybag: []), by: 1)
        let bytes = [UInt8](repeating: 7, count: 600)
        _ = try names.map { try daemon.perform(.file(name: $0, offset: 0, bytes: bytes), by: 1) }
        #expect(throws: KeychainError.self) { try daemon.perform(.checkAdoption, by: 1) }
        #expect(throws: KeychainError(.param, "")) { try daemon.perform(.finishAdoption, by: 1) }
        #expect(access(house.inDaemon.directory, F_OK) != 0)
    }

    @Test func `hands out nothing without a passcode`() throws {
        _ = try daemon.engine(of: MovingHouse.account)
        let error = #expect(throws: KeychainError.self) {
            try daemon.perform(.beginRelease(passcode: passcode), by: 1)
        }
        #expect(error?.status == .authFailed)
        #expect(error?.reason.contains("keychainctl passcode set") == true)
    }

    @Test func `reads only the files that move`() throws {
        try house.fill()
        _ = try house.adopt(into: daemon)
        _ = try daemon.perform(.beginRelease(passcode: passcode), by: 1)
        #expect(throws: KeychainError(.param, "")) {
            try daemon.perform(.read(name: "../1000/keybag", offset: 0), by: 1)
        }
        #expect(throws: KeychainError(.param, "")) {
            try daemon.perform(.read(name: "keybag", offset: .max), by: 1)
        }
        guard
            case .bytes(let rest) = try daemon.perform(
                .read(name: "keybag", offset: 1 << 40),
                by: 1
            )
        else { throw KeychainError.unexpectedReply }
        #expect(rest == [])
    }
}
