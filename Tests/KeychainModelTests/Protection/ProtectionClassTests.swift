import KeychainModel
import TestSupport
import Testing

@Suite struct `The protection classes` {
    /// Most restrictive first: class number, code, constant, availability, traits.
    static let expected: [(UInt8, String, String, ProtectionClass.Availability, String)] = [
        (12, "akpu", "WhenPasscodeSetThisDeviceOnly", .whenUnlocked, "device passcode"),
        (9, "aku", "WhenUnlockedThisDeviceOnly", .whenUnlocked, "device"),
        (6, "ak", "WhenUnlocked", .whenUnlocked, ""),
        (10, "cku", "AfterFirstUnlockThisDeviceOnly", .afterFirstUnlock, "device"),
        (7, "ck", "AfterFirstUnlock", .afterFirstUnlock, ""),
        (11, "dku", "AlwaysThisDeviceOnly", .always, "device deprecated"),
        (8, "dk", "Always", .always, "deprecated"),
    ]

    @Test(arguments: expected)
    func `have one row each`(
        number: UInt8,
        code: String,
        constant: String,
        availability: ProtectionClass.Availability,
        traits: String
    ) throws {
        let found = try #require(ProtectionClass(code: code))
        #expect(found.rawValue == number)
        #expect(found.code == code)
        #expect(found.row.constant == "kSecAttrAccessible" + constant)
        #expect(found.availability == availability)
        #expect(found.isThisDeviceOnly == traits.contains("device"))
        #expect(found.requiresPasscode == traits.contains("passcode"))
        #expect(found.row.isDeprecated == traits.contains("deprecated"))
    }

    @Test func `are seven`() {
        #expect(ProtectionClass.allCases.count == 7)
        #expect(Set(ProtectionClass.table.map(\.protectionClass)) == Set(ProtectionClass.allCases))
    }

    @Test(.requirement("ACC-16")) func `have a total order of restrictiveness`() {
        let order = ProtectionClass.allCases.sorted { $0.restrictiveness < $1.restrictiveness }
        #expect(order.map(\.code) == ["akpu", "aku", "ak", "cku", "ck", "dku", "dk"])
        #expect(order.map(\.restrictiveness) == Array(0..<7))
    }

    @Test(arguments: ["", "f", "a", "AK", "ak ", "ak\u{0}", "akup", "WhenUnlocked", "6"])
    func `are named by their codes alone`(code: String) {
        #expect(ProtectionClass(code: code) == nil)
    }

    @Test(arguments: [0, 1, 5, 13, 255])
    func `are numbered 6 to 12`(number: UInt8) {
        #expect(ProtectionClass(rawValue: number) == nil)
    }
}
