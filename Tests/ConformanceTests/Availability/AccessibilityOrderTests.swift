import KeychainSimulator
import Security
import TestSupport
import Testing

@Suite struct `The accessibility classes of a simulated device` {
    private typealias Class = SimulatedDevice.Accessibility

    /// ★ Apple's constants, the most restrictive first.
    private static let order: [(name: String, value: String)] = [
        (
            "WhenPasscodeSetThisDeviceOnly",
            kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly as String
        ),
        ("WhenUnlockedThisDeviceOnly", kSecAttrAccessibleWhenUnlockedThisDeviceOnly as String),
        ("WhenUnlocked", kSecAttrAccessibleWhenUnlocked as String),
        (
            "AfterFirstUnlockThisDeviceOnly",
            kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly as String
        ),
        ("AfterFirstUnlock", kSecAttrAccessibleAfterFirstUnlock as String),
        ("AlwaysThisDeviceOnly", "dku"),
        ("Always", "dk"),
    ]

    @Test(.requirement("ACC-16"), .contradiction("restrictiveness-order"))
    func `have a total order that everybody can see`() {
        let sorted = Class.allCases.shuffled().sorted()
        #expect(sorted == Class.allCases)
        #expect(sorted.map(\.name) == Self.order.map { "kSecAttrAccessible" + $0.name })
        #expect(sorted.map(\.value) == Self.order.map(\.value))
    }

    @Test(.requirement("ACC-16"), arguments: Class.allCases, Class.allCases)
    func `compare one way, and with a third the same way`(
        first: SimulatedDevice.Accessibility,
        second: SimulatedDevice.Accessibility
    ) {
        #expect([first < second, second < first, first == second].count { $0 } == 1)
        let between = Class.allCases.filter { first < $0 && $0 < second }
        #expect(between.isEmpty || first < second)
    }

    /// ★ The guides' uses, and what `kSecAttrAccessible` ends in for each.
    private static let uses: [(String, String)] = [
        ("banking session token", "WhenPasscodeSetThisDeviceOnly"),
        ("API key of an app", "WhenUnlockedThisDeviceOnly"),
        ("background sync token", "AfterFirstUnlockThisDeviceOnly"),
        ("Wi-Fi password", "AfterFirstUnlock"),
    ]

    @Test(.requirement("ACC-32"), arguments: uses)
    func `are advised for the uses that the guides name`(use: String, ending: String) {
        #expect(Class.documentedUses.count == 15)
        #expect(Class.advised(forUse: use)?.name == "kSecAttrAccessible" + ending)
    }

    @Test(.requirement("ACC-33"), .contradiction("background-class"))
    func `are advised by what a secret needs, and never one that is deprecated`() {
        #expect(Class.advised(for: [])?.value == "aku")
        #expect(Class.advised(for: .background)?.value == "cku")
        #expect(Class.advised(for: [.background, .migration])?.value == "ck")
        #expect(Class.advised(for: [.selfDestruction, .migration]) == nil)
        #expect(Class.advised(forUse: "something else") == nil)
    }
}
