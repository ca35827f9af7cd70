import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

@Suite(
    .requirement("DOC-05"),
    .contradiction("missing-operator", "primary-key-update", "access-control-update"),
    .contradiction("tag-on-certificate", "key-without-type", "changed-enrolment"),
    .contradiction("synchronizable-this-device", "class-in-update", "agreeing-access-control"),
    .contradiction("missing-passcode", "deprecated-always", "access-group-update"),
    .contradiction("match-keys-in-writes", "this-device-backups", "attributes-while-locked"),
    .contradiction("before-first-unlock", "case-insensitive", "mac-keychains", "file-based-limit")
)
struct `A contradiction with a switch` {
    private static let all = Dispute.ofProfiles + Dispute.ofDocuments

    @Test(arguments: all, Dispute.Side.allCases)
    func `is answered as the behavior says`(row: Dispute, side: Dispute.Side) throws {
        #expect(try row.observe(side) == row.answer(side))
    }

    @Test func `changes its answer with the switch`() {
        #expect(Self.all.allSatisfy { $0.documented != $0.turned })
        #expect(Dispute.ofProfiles.allSatisfy { $0.appleSource == $0.turned })
        #expect(Dispute.ofDocuments.allSatisfy { $0.appleSource == $0.documented })
    }

    @Test func `is one of those that the suite claims`() {
        let traits = Test.current?.traits.compactMap { $0 as? Contradiction } ?? []
        #expect(Set(traits.flatMap(\.ids)) == Set(Self.all.map(\.id)))
    }
}

@Suite struct `A login of a web site` {
    @Test(.requirement("QRY-02"), .contradiction("internet-passwords"))
    func `is an item of either class, without a finding`() throws {
        try onNewDevice { device in
            let login: Attributes = [
                kSecAttrAccount: "ada@example.com",
                kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked,
            ]
            let generic: Attributes = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: "example.com",
            ]
            let internet: Attributes = [
                kSecClass: kSecClassInternetPassword, kSecAttrServer: "example.com",
            ]
            #expect(Items.add(generic.with(login).holding("one")) == errSecSuccess)
            #expect(Items.add(internet.with(login).holding("two")) == errSecSuccess)
            #expect(Items.value(generic) == "one")
            #expect(Items.value(internet) == "two")
            #expect(device.findings.isEmpty)
        }
    }
}
