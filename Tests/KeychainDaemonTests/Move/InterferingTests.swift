import EngineTestSupport
import Glibc
import KeychainEngine
import KeychainHost
import KeychainMessages
import KeychainModel
import Synchronization
import TestSupport
import Testing

@testable import KeychainDaemon

/// Programs and disks that interfere with a move.
@Suite(.requirement("DMN-14")) struct `A keychain whose move is interfered with` {
    private let house: MovingHouse

    init() throws {
        house = try MovingHouse()
        try house.fill()
    }

    private func adopt(_ effects: MoveEffects) throws(KeychainError) -> KeychainDeparture.Report {
        try KeychainDeparture(
            house.home,
            into: HouseDaemon(house),
            effects: effects,
            open: MovingHouse.open
        ).run()
    }

    @Test func `moves with what a program added after the first look`() throws {
        let isAdded = Mutex(false)
        let effects = MoveEffects { [house] name throws(KeychainError) in
            guard name == "ask the daemon", isAdded.withLock({ !$0 }) else { return }
            isAdded.withLock { $0 = true }
            let engine = try MovingHouse.open(house.home)
            defer { engine.end() }
            try engine.unlock(passcode: EngineFixture.secret(EngineFixture.passcode))
            let added = MovingHouse.keychain(engine).add(password("zoe"), "value of zoe")
            if added != .success { throw KeychainError(added, "add") }
        }
        #expect(try adopt(effects).itemCount == 4)
        #expect(house.accounts(house.inDaemon) == ["ada", "bob", "eve", "zoe"])
    }

    @Test(
        arguments: [
            "mark that the keychain is in the daemon", "write keybag.moved", "remove lock-epoch",
            "remove keybag",
        ]
    )
    func `is where it was, without a mark, when its directory cannot be closed`(
        step: String
    ) throws {
        let effects = MoveEffects { name throws(KeychainError) in
            if name == step { throw KeychainError(.readOnly, "the directory is read-only") }
        }
        #expect(throws: KeychainError(.readOnly, "")) { try adopt(effects) }
        #expect(access(house.home.directory + ".in-daemon", F_OK) != 0)
        #expect(access(house.home.directory + "/keybag.moved", F_OK) != 0)
        #expect(house.accounts(house.home) == ["ada", "bob", "eve"])
        #expect(try adopt(MoveEffects()).itemCount == 3)
    }
}
