import KeychainSimulator
import Testing

@Suite struct `Devices with one account` {
    @Test func `are what the page about testing shows`() throws {
        let phone = try SimulatedDevice()
        let tablet = try SimulatedDevice()
        let account = SimulatedSyncAccount()
        try phone.signIn(to: account)
        try tablet.signIn(to: account)
        tablet.network.isOffline = true
        // … the app changes an item on both devices
        tablet.network.isOffline = false
        account.synchronize()  // both have the later change
        #expect(phone.account === account && tablet.account === account)
        #expect(!tablet.network.isOffline && tablet.isSynchronizationOn)
    }
}
