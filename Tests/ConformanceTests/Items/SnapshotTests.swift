import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

@Suite struct `A snapshot of what an app can see` {
    @Test func `tells one access control from another`() throws {
        let flags: [SecAccessControlCreateFlags] = [.userPresence, .biometryAny, .devicePasscode]
        let snapshots = try flags.map { flags in
            let app = try SimulatedDevice().installExample()
            return try app.run {
                let control = SecAccessControlCreateWithFlags(
                    nil,
                    kSecAttrAccessibleWhenUnlocked,
                    flags,
                    nil
                )
                let status = Password().add("x", [kSecAttrAccessControl: try #require(control)])
                try #require(status == errSecSuccess)
                return Snapshot().lines.compactMap { $0.firstMatch(of: /accc=[^)]+/)?.output }
            }
        }
        #expect(snapshots.allSatisfy { $0.count == 1 })
        #expect(Set(snapshots).count == flags.count)
    }

    @Test func `does not take a refused search for an empty keychain`() throws {
        let device = try SimulatedDevice()
        let app = device.installExample()
        app.run { #expect(Password().add() == errSecSuccess) }
        device.lock()
        var lines: [String] = []
        withKnownIssue { lines = app.run { Snapshot().lines } }
        #expect(lines == ["genp \(errSecInteractionNotAllowed)"])
    }
}
