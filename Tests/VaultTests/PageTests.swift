import Testing
import Vault
import VaultTesting

// What a page of the DocC catalogue shows, line by line. Another test compares the two.

@Test(.device()) func `a locked device is no logout`() throws {
    let item = Password(service: "api", account: "pin", protection: .whenUnlocked)
    try Vault().save("1234", in: item)
    try TestDevice.current.device.lock()
    #expect(try Vault().presence(of: item) == .outOfReach)
}
