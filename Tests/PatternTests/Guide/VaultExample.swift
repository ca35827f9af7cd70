import KeychainSimulator
import Testing
import Vault

@Suite struct `An example with types` {
    @Test func `saves and reads a secret`() throws {
        let phone = try SimulatedDevice(passcode: "0000")
        let app = phone.install(.init(bundleIdentifier: "com.example.app"))
        try app.run { () throws in
            let vault = Vault()
            let token = Password(service: "api", account: "refresh-token")
            try vault.save("t0ken", in: token)  // adds or updates
            let saved: String? = try vault.read(token)  // nil: there is none
            #expect(saved == "t0ken")
        }
    }
}
