import KeychainSimulator
import Security
import TestSupport
import Testing

@Suite struct `The secure element of a simulated device` {
    private let device: SimulatedDevice
    private let app: SimulatedApp

    init() throws {
        device = try SimulatedDevice()
        app = device.installExample()
        app.run {
            for number in 0..<5 {
                #expect(Password(account: "account \(number)").add() == errSecSuccess)
            }
        }
    }

    private func find(_ more: [CFString: Any]) -> OSStatus {
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitAll,
        ]
        var result: CFTypeRef?
        return app.run {
            SecItemCopyMatching(query.merging(more) { $1 } as CFDictionary, &result)
        }
    }

    @Test(.requirement("STO-05"))
    func `is visited once for each value that is read, and never for attributes`() {
        let before = device.secureElementTrips
        #expect(find([kSecReturnAttributes: true]) == errSecSuccess)
        #expect(device.secureElementTrips == before)
        #expect(find([kSecReturnAttributes: true, kSecReturnData: true]) == errSecSuccess)
        #expect(device.secureElementTrips == before + 5)
        #expect(app.run { Password(account: "account 1").read() } == .value)
        #expect(device.secureElementTrips == before + 6)
    }

    @Test(.requirement("STO-05", "SIM-15"))
    func `takes virtual time for each visit where the test says so`() {
        device.secureElementLatency = .seconds(2)
        device.lock(grace: .seconds(11))
        #expect(find([kSecReturnAttributes: true]) == errSecSuccess)
        #expect(find([kSecReturnAttributes: true, kSecReturnData: true]) == errSecSuccess)
        #expect(device.isProtectedDataAvailable)
        #expect(app.run { Password(account: "account 1").read() } == .value)
        #expect(!device.isProtectedDataAvailable)
        #expect(app.run { Password(account: "account 1").read() } == .notAllowed)
    }

    @Test(.requirement("STO-05"))
    func `takes no time unless a test says so`() {
        #expect(device.secureElementLatency == .zero)
        device.secureElementLatency = .seconds(-1)
        #expect(device.secureElementLatency == .zero)
    }
}
