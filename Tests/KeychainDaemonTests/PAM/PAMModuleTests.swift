import TestSupport
import Testing

/// Serialized: each test has a daemon, and passcodes that are costly to try.
@Suite(
    .serialized,
    .enabled(if: PAMMachine.isPossible, "needs root, pamtester, setpriv and the account games")
)
struct `A login` {
    @Test(.requirement("DMN-11"), .requirement("SIM-23"))
    func `unlocks with the right password`() throws {
        let machine = try locked("one")
        #expect(try machine.pam("authenticate", new: "one"))
        #expect(try machine.state == "unlocked, 0")
    }

    @Test(.requirement("DMN-11"))
    func `with another password counts one attempt, and none after three`() throws {
        let machine = try locked("one")
        #expect(try machine.pam("authenticate", new: "two"))
        #expect(try machine.state == "locked, 1")
        #expect(try machine.pam("authenticate", new: "two"))
        #expect(try machine.pam("authenticate", new: "two"))
        #expect(try machine.pam("authenticate", new: "two"))
        #expect(try machine.state == "locked, 3")
    }

    @Test(.requirement("DMN-11")) func `sets no passcode and makes no guess`() throws {
        let machine = try PAMMachine()
        #expect(try machine.pam("authenticate", new: "one"))
        #expect(try machine.pam("chauthtok", old: "one", new: "two"))
        #expect(try machine.state == "unlocked, 0")
        try machine.command("passcode", "set", input: "one\none\n")
        // Unlocked as it is, a wrong password is not even tried.
        #expect(try machine.pam("authenticate", new: "two"))
        #expect(try machine.state == "unlocked, 0")
    }

    @Test(.requirement("DMN-11")) func `changes the passcode with the password`() throws {
        let machine = try locked("one")
        #expect(try machine.pam("chauthtok", old: "other", new: "two"))
        #expect(try machine.pam("authenticate", new: "one"))
        #expect(try machine.state == "unlocked, 0")
        #expect(try machine.pam("chauthtok", old: "one", new: "two"))
        try machine.command("lock-keychain")
        #expect(try machine.pam("authenticate", new: "two"))
        #expect(try machine.state == "unlocked, 0")
    }

    @Test(.requirement("DMN-11"))
    func `that changes the password tells the person where the passcode did not follow`() throws {
        let machine = try locked("one")
        let other = try machine.told("chauthtok", old: "other", new: "two")
        #expect(other.agreed)
        #expect(other.text.contains("its old passcode: its passcode is another one"))
        machine.stopDaemon()
        let late = try machine.told("chauthtok", old: "one", new: "two", seconds: 1)
        #expect(late.agreed)
        #expect(late.text.contains("its old passcode: the daemon did not answer in time"))
    }

    @Test(.requirement("DMN-11"))
    func `of a protected machine gives its password to no socket that somebody names`() throws {
        let machine = try locked("one")
        try machine.protect()
        #expect(try machine.pam("authenticate", new: "two"))
        #expect(try machine.state == "locked, 0")
        try machine.unprotect()
        #expect(try machine.pam("authenticate", new: "two"))
        #expect(try machine.state == "locked, 1")
    }

    @Test(.requirement("DMN-11")) func `goes on without a daemon`() throws {
        let machine = try PAMMachine()
        #expect(try machine.pam("authenticate", new: "one", at: machine.socket + "-absent"))
        #expect(try machine.pam("open_session", new: ""))
    }

    @Test(.requirement("DMN-11"))
    func `goes on after five seconds where the daemon hangs`() throws {
        let machine = try PAMMachine()
        machine.stopDaemon()
        let start = ContinuousClock.now
        #expect(try machine.pam("authenticate", new: "one", seconds: nil))
        let time = ContinuousClock.now - start
        #expect(time >= .seconds(4) && time < .seconds(60))
    }

    private func locked(_ passcode: String) throws -> PAMMachine {
        let machine = try PAMMachine()
        try machine.command("passcode", "set", input: "\(passcode)\n\(passcode)\n")
        try machine.command("lock-keychain")
        #expect(try machine.state == "locked, 0")
        return machine
    }
}
