import Glibc
import KeychainModel
import TestSupport
import Testing

/// Serialized: each test has a message bus and a login service of its own.
@Suite(.serialized) struct `A program that watches logind` {
    private static let everything = LockSettings(onSleep: true, onLogout: true)

    @Test(.requirement("LCK-09"))
    func `locks before the machine sleeps, every time`() throws {
        let machine = try LoginMachine(Self.everything)
        // The machine sleeps once nobody delays it any more: no line has to be waited for.
        try machine.happen("sleep")
        #expect(try machine.isLocked)
        #expect(
            try machine.watch.hear(until: "\n")
                == "keychainctl: locked, because the machine goes to sleep\n"
        )
        try machine.happen("wake", "sleep")
        #expect(
            try machine.watch.hear(until: "\n")
                == "keychainctl: locked, because the machine goes to sleep\n"
        )
    }

    @Test(.requirement("LCK-09")) func `locks with the last logout`() throws {
        let machine = try LoginMachine(Self.everything)
        try machine.happen("begin 2 \(getuid()) user", "begin 3 \(getuid()) manager", "end 2")
        try machine.happen("end 1")
        #expect(
            try machine.watch.hear(until: "\n")
                == "keychainctl: locked, because the last session ended\n"
        )
        #expect(try machine.isLocked)
    }

    @Test(.requirement("LCK-09")) func `leaves it alone while a session lasts`() throws {
        let machine = try LoginMachine(LockSettings(onLogout: true))
        try machine.happen("begin 2 \(getuid()) user", "end 2", "begin 3 \(getuid() + 1) user")
        // Sleep comes after what came before it, and locks nothing here.
        try machine.happen("end 3", "sleep")
        #expect(try !machine.isLocked)
    }

    @Test(.requirement("LCK-09")) func `leaves it alone unless the settings ask for it`() throws {
        let machine = try LoginMachine(LockSettings())
        try machine.happen("end 1", "sleep", "wake", "sleep")
        #expect(try !machine.isLocked)
    }

    @Test(.requirement("LCK-09")) func `locks with a session, whatever the settings`() throws {
        let machine = try LoginMachine(LockSettings())
        try machine.happen("lock 1")
        #expect(
            try machine.watch.hear(until: "\n")
                == "keychainctl: locked, because a session was locked\n"
        )
        #expect(try machine.isLocked)
    }

    @Test(.requirement("LCK-09")) func `does not lock with the session of another user`() throws {
        let machine = try LoginMachine(LockSettings())
        try machine.happen("begin 2 \(getuid() + 1) user", "lock 2", "sleep")
        #expect(try !machine.isLocked)
    }

    @Test func `ends with success when it is told to`() throws {
        let machine = try LoginMachine(LockSettings())
        #expect(try machine.watch.end(SIGTERM).status == 0)
    }
}
