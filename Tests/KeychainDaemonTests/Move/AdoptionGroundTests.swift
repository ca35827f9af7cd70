import EngineTestSupport
import Foundation
import KeychainEngine
import KeychainHost
import KeychainMessages
import KeychainModel
import Synchronization
import TestSupport
import Testing

@testable import KeychainDaemon

private let others = ["ada", "bob", "eve"]
private let passcode = EngineFixture.secret(EngineFixture.passcode)

/// A way to a daemon, on which something happens in front of one of the steps.
private final class DisturbedChannel: DaemonChannel {
    private let daemon: HouseDaemon
    private let place: Int
    private let deed: @Sendable () -> Void
    private let count = Atomic(0)

    init(_ daemon: HouseDaemon, at place: Int, _ deed: @escaping @Sendable () -> Void) {
        self.daemon = daemon
        self.place = place
        self.deed = deed
    }

    func kind() -> EndpointDescription.Kind { .systemDaemon }

    func perform(_ request: DaemonRequest) throws(KeychainError) -> DaemonReply {
        if count.wrappingAdd(1, ordering: .relaxed).oldValue == place { deed() }
        return try daemon.perform(request)
    }
}

extension MovingHouse {
    fileprivate func adopt(
        into channel: any DaemonChannel,
        proving: String? = nil,
        _ killer: Killer = Killer(at: nil)
    ) throws(KeychainError) -> KeychainDeparture.Report {
        try KeychainDeparture(
            home,
            into: channel,
            effects: killer.effects,
            prove: { () throws(KeychainError) in proving.map(EngineFixture.secret) },
            open: Self.open
        ).run()
    }

    /// Leaves a keychain without items in the daemon that was used: it has a passcode.
    fileprivate func useDaemon() throws {
        let daemon = HouseDaemon(self)
        try daemon.engine(of: Self.account).setPasscode(passcode, current: nil)
        daemon.stop()
    }
}

@Suite(.requirement("HRD-10")) struct `A keychain that takes the place of another one` {
    private let house: MovingHouse

    init() throws {
        house = try MovingHouse()
        try house.fill()
    }

    @Test(arguments: [nil, "0000"]) func `needs the passcode of one that was used`(
        passcode: String?
    ) throws {
        try house.useDaemon()
        #expect(throws: KeychainError(.authFailed, "")) {
            try house.adopt(into: HouseDaemon(house), proving: passcode)
        }
        #expect(house.accounts(house.home) == others)
        #expect(house.names == ["keychain", "1000"])
    }

    @Test func `comes in for that passcode, and the other one stays aside`() throws {
        try house.useDaemon()
        let daemon = HouseDaemon(house)
        let report = try house.adopt(into: daemon, proving: EngineFixture.passcode)
        #expect(report.kept == house.state + "/1000.replaced-1790000000")
        #expect(house.accounts(house.inDaemon) == others)
    }

    @Test func `counts as used once a program has been given a key`() throws {
        let daemon = HouseDaemon(house)
        _ = try daemon.engine(of: MovingHouse.account)
        try daemon.requests.willTouch(MovingHouse.account)
        #expect(throws: KeychainError(.authFailed, "")) { try house.adopt(into: daemon) }
        // The mark is gone for good, also in the next daemon.
        daemon.stop()
        #expect(throws: KeychainError(.authFailed, "")) {
            try house.adopt(into: HouseDaemon(house))
        }
    }

    @Test func `counts as used where an earlier version made it`() throws {
        let made = try MovingHouse.open(house.inDaemon)
        made.end()
        #expect(throws: KeychainError(.authFailed, "")) {
            try house.adopt(into: HouseDaemon(house))
        }
    }

    /// The steps of an adoption, and one more.
    @Test(arguments: 0..<8)
    func `replaces nothing that was stored meanwhile`(step: Int) throws {
        let daemon = HouseDaemon(house)
        let stored = Mutex(false)
        let channel = DisturbedChannel(daemon, at: step) {
            guard let engine = try? daemon.engine(of: MovingHouse.account) else { return }
            let keychain = MovingHouse.keychain(engine)
            let status = keychain.add(password("new"), "value of new")
            stored.withLock { $0 = status == .success }
        }
        let report = try? house.adopt(into: channel)
        daemon.stop()
        let wasStored = stored.withLock(\.self)
        #expect(report == nil || !wasStored)
        #expect(house.accounts(house.inDaemon) == (wasStored ? ["new"] : others))
        #expect((house.accounts(house.home) == others) == wasStored)
    }

    @Test(arguments: [false, true])
    func `replaces nothing that was touched meanwhile`(isUsed: Bool) throws {
        if isUsed { try house.useDaemon() }
        let daemon = HouseDaemon(house)
        let channel = DisturbedChannel(daemon, at: 6) {
            try? daemon.requests.didTouch(MovingHouse.account)
        }
        let word = isUsed ? EngineFixture.passcode : nil
        #expect(throws: KeychainError(.duplicateItem, "")) {
            try house.adopt(into: channel, proving: word)
        }
        #expect(house.accounts(house.home) == others)
        #expect(!house.names.contains("1000.adopting"))
    }

    @Test func `replaces no other one than that whose passcode was proven`() throws {
        try house.useDaemon()
        let daemon = HouseDaemon(house)
        let channel = DisturbedChannel(daemon, at: 6) {
            let next = EngineFixture.secret("another one")
            try? daemon.engine(of: MovingHouse.account).setPasscode(next, current: passcode)
        }
        #expect(throws: KeychainError(.duplicateItem, "")) {
            try house.adopt(into: channel, proving: EngineFixture.passcode)
        }
        try daemon.engine(of: MovingHouse.account).unlock(
            passcode: EngineFixture.secret("another one")
        )
    }

    @Test(arguments: 0..<14)
    func `leaves one complete keychain when the daemon is killed`(place: Int) throws {
        try house.useDaemon()
        let daemon = HouseDaemon(house, Killer(at: place))
        _ = try? house.adopt(into: daemon, proving: EngineFixture.passcode)
        daemon.stop()
        let next = HouseDaemon(house)
        let engine = try next.engine(of: MovingHouse.account)
        try engine.unlock(passcode: passcode)
        next.stop()
        _ = try? house.adopt(into: HouseDaemon(house), proving: EngineFixture.passcode)
        #expect(house.accounts(house.inDaemon) == others)
        #expect(house.accounts(house.home) == nil)
        #expect(house.names.filter { $0.hasPrefix("1000.") } == ["1000.replaced-TIME"])
    }

    @Test func `moves one step at a time`() throws {
        let daemon = HouseDaemon(house)
        let inner = Mutex<SecurityStatus?>(nil)
        let requests = MoveRequests(
            state: house.state,
            keychains: daemon,
            effects: MoveEffects { name throws(KeychainError) in
                guard name == "make a directory" else { return }
                do throws(KeychainError) {
                    _ = try daemon.again?(.beginAdoption(keybag: []))
                } catch { inner.withLock { $0 = error.status } }
            },
            open: { home throws(KeychainError) in try MovingHouse.open(home) }
        )
        daemon.setAgain { step throws(KeychainError) in
            try requests.perform(step, for: MovingHouse.account, by: 1)
        }
        _ = try requests.perform(.beginAdoption(keybag: []), for: MovingHouse.account, by: 1)
        #expect(inner.withLock(\.self) == .notAvailable)
    }
}

@Suite(.requirement("HRD-11")) struct `What moves leave in the daemon` {
    private let house: MovingHouse

    init() throws {
        house = try MovingHouse()
        try house.fill()
    }

    private func release(from daemon: HouseDaemon) throws(KeychainError) {
        _ = try KeychainReturn(house.home, from: daemon, open: MovingHouse.open)
            .run(passcode: passcode)
    }

    @Test func `is one keychain at most, until a person discards it`() throws {
        let daemon = HouseDaemon(house)
        _ = try house.adopt(into: daemon)
        try release(from: daemon)
        _ = try house.adopt(into: daemon, proving: EngineFixture.passcode)
        let error = #expect(throws: KeychainError.self) { try release(from: daemon) }
        #expect(error?.reason.contains("keychainctl daemon discard") == true)
        #expect(throws: KeychainError(.authFailed, "")) {
            try daemon.perform(.discard(passcode: nil), by: 1)
        }
        let reply = try daemon.perform(.discard(passcode: passcode), by: 1)
        guard case .discarded(let paths) = reply else { throw KeychainError.unexpectedReply }
        #expect(paths == [house.state + "/1000.released-1790000000"])
        try release(from: daemon)
        #expect(house.accounts(house.home) == others)
    }

    @Test func `counts against the account's size, with what comes in`() throws {
        let daemon = HouseDaemon(house, byteLimit: 50_000)
        let error = #expect(throws: KeychainError.self) { try house.adopt(into: daemon) }
        #expect(error?.status == .diskFull)
        #expect(house.accounts(house.home) == others)
        #expect(house.names == ["keychain"])
    }

    @Test func `is not the copy of an adoption that a crash interrupted`() throws {
        _ = try HouseDaemon(house).perform(.beginAdoption(keybag: []), by: 1)
        #expect(house.names.contains("1000.adopting"))
        _ = try HouseDaemon(house).engine(of: MovingHouse.account)
        #expect(!house.names.contains("1000.adopting"))
    }
}
