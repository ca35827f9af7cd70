import KeychainSimulator
import Security
import TestSupport
import Testing

@Suite struct `A large value` {
    private static let limit = 16 * 1024 * 1024

    @Test(.requirement("CLS-29", "STO-17"))
    func `of a mebibyte is stored with one warning`() throws {
        try onNewDevice { device in
            let value = Data((0..<1024 * 1024).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            #expect(Items.add(.mail.with([kSecValueData: value])) == errSecSuccess)
            #expect(Items.find(.mail.with([kSecReturnData: true])).data == value)
            #expect(device.findings.filter { $0.rule == "large-value" }.count == 1)
        }
    }

    @Test(.requirement("CLS-29", "STO-17"))
    func `of a few kilobytes is stored without a warning`() throws {
        try onNewDevice { device in
            let value = Data(count: 4096)
            #expect(Items.add(.mail.with([kSecValueData: value])) == errSecSuccess)
            #expect(device.finding("large-value") == nil)
        }
    }

    @Test(.requirement("CLS-29"))
    func `of 16 MiB is the largest`() throws {
        try onNewDevice { device in
            let value = Data(repeating: 7, count: Self.limit)
            #expect(Items.add(.mail.with([kSecValueData: value])) == errSecSuccess)
            #expect(Items.find(.mail.with([kSecReturnData: true])).data == value)
            let tooLarge: Attributes = [kSecValueData: Data(count: Self.limit + 1)]
            #expect(Items.update(.mail, tooLarge) == errSecDataTooLarge)
            #expect(Items.find(.mail.with([kSecReturnData: true])).data == value)
        }
    }

    @Test(.requirement("CLS-29"), arguments: [limit + 1, 20 * 1000 * 1000])
    func `beyond that is refused and leaves nothing behind`(byteCount: Int) throws {
        try onNewDevice { _ in
            Items.add(.mail.holding("here"))
            let before = Snapshot()
            let value: Attributes = [kSecValueData: Data(count: byteCount)]
            let other = Attributes.mail.with([kSecAttrAccount: "bob"])
            #expect(Items.add(other.with(value)) == errSecDataTooLarge)
            #expect(Items.update(.mail, value) == errSecDataTooLarge)
            #expect(Snapshot() == before)
        }
    }
}
