import KeychainModel
import TestSupport
import Testing

@Suite struct `Advice on accessibility` {
    private static let answers: [(String, ProtectionClass)] = [
        ("banking session token", .whenPasscodeSetThisDeviceOnly),
        ("password manager vault key", .whenPasscodeSetThisDeviceOnly),
        ("healthcare credential", .whenPasscodeSetThisDeviceOnly),
        ("end-to-end encryption private key", .whenPasscodeSetThisDeviceOnly),
        ("OAuth access token", .whenUnlockedThisDeviceOnly),
        ("API key of an app", .whenUnlockedThisDeviceOnly),
        ("cached credential", .whenUnlockedThisDeviceOnly),
        ("device registration token", .whenUnlockedThisDeviceOnly),
        ("push notification decryption key", .afterFirstUnlockThisDeviceOnly),
        ("VPN credential", .afterFirstUnlockThisDeviceOnly),
        ("background sync token", .afterFirstUnlockThisDeviceOnly),
        ("watch connectivity token", .afterFirstUnlockThisDeviceOnly),
        ("enterprise VPN credential", .afterFirstUnlock),
        ("email account credential", .afterFirstUnlock),
        ("Wi-Fi password", .afterFirstUnlock),
    ]

    @Test(.requirement("ACC-32"), arguments: answers)
    func `names the class of the guides for a use`(
        name: String,
        protection: ProtectionClass
    ) throws {
        let use = try #require(AccessibilityAdvice.useCases.first { $0.name == name })
        #expect(AccessibilityAdvice.protection(for: use.needs) == protection)
    }

    @Test(.requirement("ACC-32"))
    func `knows fifteen uses`() {
        #expect(AccessibilityAdvice.useCases.count == Self.answers.count)
    }

    @Test(.requirement("ACC-33"), arguments: (UInt8(0)..<8).map(AccessNeeds.init(rawValue:)))
    func `is the most restrictive class that does what is needed`(needs: AccessNeeds) {
        let able = ProtectionClass.table.filter { row in
            (!needs.contains(.background) || row.availability != .whenUnlocked)
                && (!needs.contains(.migration) || !row.isThisDeviceOnly)
                && needs.contains(.selfDestruction) == row.requiresPasscode
        }
        let advised = AccessibilityAdvice.protection(for: needs)
        #expect(advised == able.first { !$0.isDeprecated }?.protectionClass)
        #expect(advised?.row.isDeprecated != true)
    }

    @Test(.requirement("ACC-33"))
    func `without any need is when-unlocked on this device`() {
        #expect(AccessibilityAdvice.protection(for: []) == .whenUnlockedThisDeviceOnly)
    }

    @Test func `has no answer for needs that exclude each other`() {
        #expect(AccessibilityAdvice.protection(for: [.selfDestruction, .background]) == nil)
        #expect(AccessibilityAdvice.protection(for: [.selfDestruction, .migration]) == nil)
    }
}
