import KeychainServices
import KeychainSimulator
import TestSupport
import Testing

/// What two devices do to one item while they do not reach each other: the first now, the second
/// a minute later.
private struct Conflict: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let earlier: @Sendable (SyncedDevice) -> Void
    let later: @Sendable (SyncedDevice) -> Void
    /// What both have afterwards; nil for nothing.
    let outcome: String?

    static let all = [
        Conflict(
            testDescription: "two edits",
            earlier: { $0.update("earlier") },
            later: { $0.update("later") },
            outcome: "later"
        ),
        Conflict(
            testDescription: "a deletion after an edit",
            earlier: { $0.update("earlier") },
            later: { $0.delete() },
            outcome: nil
        ),
        Conflict(
            testDescription: "an edit after a deletion",
            earlier: { $0.delete() },
            later: { $0.update("later") },
            outcome: "later"
        ),
    ]
}

@Suite struct `Devices that did not reach each other` {
    @Test(.requirement("SYN-10"), arguments: Conflict.all, [false, true])
    fileprivate func `agree on the later change, whoever made it and speaks first`(
        conflict: Conflict,
        isTabletEarlier: Bool
    ) throws {
        let (account, phone, tablet) = try SyncedDevice.pair()
        phone.add("first")
        account.synchronize()
        phone.device.network.isOffline = true
        tablet.device.network.isOffline = true
        let (earlier, later) = isTabletEarlier ? (tablet, phone) : (phone, tablet)
        conflict.earlier(earlier)
        later.device.advance(by: .seconds(60))
        conflict.later(later)
        phone.device.network.isOffline = false
        account.synchronize()
        tablet.device.network.isOffline = false
        account.synchronize()
        #expect(phone.value() == conflict.outcome)
        #expect(tablet.value() == conflict.outcome)
    }

    @Test(.requirement("SYN-10")) func `agree on one of two new items of the same name`() throws {
        let (account, phone, tablet) = try SyncedDevice.pair()
        tablet.device.network.isOffline = true
        phone.add("from the phone")
        tablet.device.advance(by: .seconds(60))
        tablet.add("from the tablet")
        tablet.device.network.isOffline = false
        account.synchronize()
        #expect(phone.value() == "from the tablet")
        #expect(tablet.value() == "from the tablet")
    }

    @Test func `have what was delayed when its time has come`() throws {
        let (account, phone, tablet) = try SyncedDevice.pair()
        tablet.device.network.delay = .seconds(30)
        phone.add("value")
        account.synchronize()
        tablet.device.advance(by: .seconds(29))
        #expect(tablet.value() == nil)
        tablet.device.advance(by: .seconds(1))
        #expect(tablet.value() == "value")
    }

    @Test func `have what they missed while they were locked`() throws {
        let (account, phone, tablet) = try SyncedDevice.pair()
        phone.add("1")
        account.synchronize()
        tablet.device.lock()
        phone.update("2")
        account.synchronize()
        // What is deleted while its class is closed leaves nothing behind, and is gone elsewhere.
        phone.add("another", "grace")
        try tablet.device.unlock(passcode: "0000")
        account.synchronize()
        #expect(tablet.value() == "2")
        tablet.device.lock()
        #expect(tablet.delete("grace") == errSecSuccess)
        try tablet.device.unlock(passcode: "0000")
        account.synchronize()
        #expect(phone.value("grace") == nil)
    }

    @Test func `join when a device that has the keys is there`() throws {
        let account = SimulatedSyncAccount()
        let phone = try SyncedDevice(in: account)
        phone.add("value")
        phone.device.lock()
        let tablet = try SyncedDevice(in: account)
        account.synchronize()
        #expect(tablet.value() == nil)
        try phone.device.unlock(passcode: "0000")
        account.synchronize()
        #expect(tablet.value() == "value")
        let locked = try SyncedDevice()
        locked.device.lock()
        #expect(throws: SimulatorError.self) { try locked.device.signIn(to: account) }
        #expect(throws: SimulatorError.self) { try phone.device.signIn(to: account) }
    }

    @Test func `do without a device that was reset`() throws {
        let (account, phone, tablet) = try SyncedDevice.pair()
        phone.add("value")
        account.synchronize()
        phone.device.erase()
        account.synchronize()
        #expect(tablet.value() == "value")
        #expect(phone.device.account == nil)
        let again = SyncedDevice(again: phone.device)
        #expect(again.value() == nil)
        try again.device.signIn(to: account)
        #expect(again.value() == "value")
    }
}
