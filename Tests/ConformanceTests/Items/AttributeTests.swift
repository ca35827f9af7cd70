import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

@Suite struct `An attribute` {
    @Test(.requirement("CLS-10"))
    func `is never demanded of a generic password`() throws {
        try onNewDevice { _ in
            let bare: Attributes = [kSecClass: kSecClassGenericPassword]
            #expect(Items.add(bare.holding("secret")) == errSecSuccess)
            #expect(Items.value(bare) == "secret")
            let found = Items.attributes(bare)
            #expect(found[.account] as? String == "" && found[.service] as? String == "")
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let attribute: String
        let value: Sample
        /// What comes back, where it is not the value as given.
        let returned: Sample

        init(_ attribute: CFString, _ value: Sample, returned: Sample? = nil) {
            self.attribute = attribute as String
            self.value = value
            self.returned = returned ?? value
        }

        var testDescription: String { "\(attribute) = \(value.testDescription)" }
    }

    @Test(
        .requirement("CLS-11"),
        arguments: [
            Row(kSecAttrLabel, .text("Label")),
            Row(kSecAttrDescription, .text("kind")),
            Row(kSecAttrComment, .text("a comment")),
            Row(kSecAttrCreator, .number(0x6143_7274)),
            Row(kSecAttrType, .number(0x6974_656D)),
            Row(kSecAttrGeneric, .data([0, 1, 2, 255])),
            Row(kSecAttrIsInvisible, .bool(true), returned: .number(1)),
            Row(kSecAttrIsNegative, .bool(false), returned: .number(0)),
        ]
    )
    func `of a generic password comes back with its type`(row: Row) throws {
        try onNewDevice { _ in
            let item = Attributes.mail.with(row.attribute, row.value)
            #expect(Items.add(item) == errSecSuccess)
            #expect(row.returned.equals(Items.attributes(.mail)[row.attribute]))
            #expect(Items.find(item).status == errSecSuccess)
            #expect(Items.delete(.mail) == errSecSuccess)
            #expect(Items.add(.mail) == errSecSuccess)
            #expect(Items.attributes(.mail)[row.attribute] == nil)
            let change = Attributes().with(row.attribute, row.value)
            #expect(Items.update(.mail, change) == errSecSuccess)
            #expect(row.returned.equals(Items.attributes(.mail)[row.attribute]))
        }
    }

    @Test func `that says yes or no reads as a truth value`() throws {
        try onNewDevice { _ in
            Items.add(.mail.with([kSecAttrIsInvisible: true, kSecAttrIsNegative: false]))
            let found = Items.attributes(.mail)
            #expect(found[.isInvisible] as? Bool == true && found[.isNegative] as? Bool == false)
        }
    }

    @Test(.requirement("CLS-12"), arguments: StoredClass.all)
    func `that is a date of the item is the keychain's to set`(row: StoredClass) throws {
        try onNewDevice { _ in
            let long = Date(timeIntervalSinceReferenceDate: 0)
            let item = row.item.with([
                kSecAttrCreationDate: long, kSecAttrModificationDate: long,
            ])
            #expect(Items.add(item) == errSecSuccess)
            let found = Items.attributes(row.item)
            let created = try #require(found[.creationDate] as? Date)
            #expect(created > long)
            #expect(found[.modificationDate] as? Date == created)
            #expect(Items.find(item).status == errSecItemNotFound)
            #expect(
                Items.find(row.item.with([kSecAttrCreationDate: created])).status == errSecSuccess
            )
        }
    }

    static let protocols = [
        kSecAttrProtocolFTP, kSecAttrProtocolFTPAccount, kSecAttrProtocolHTTP,
        kSecAttrProtocolIRC, kSecAttrProtocolNNTP, kSecAttrProtocolPOP3, kSecAttrProtocolSMTP,
        kSecAttrProtocolSOCKS, kSecAttrProtocolIMAP, kSecAttrProtocolLDAP,
        kSecAttrProtocolAppleTalk, kSecAttrProtocolAFP, kSecAttrProtocolTelnet,
        kSecAttrProtocolSSH, kSecAttrProtocolFTPS, kSecAttrProtocolHTTPS,
        kSecAttrProtocolHTTPProxy, kSecAttrProtocolHTTPSProxy, kSecAttrProtocolFTPProxy,
        kSecAttrProtocolSMB, kSecAttrProtocolRTSP, kSecAttrProtocolRTSPProxy,
        kSecAttrProtocolDAAP, kSecAttrProtocolEPPC, kSecAttrProtocolIPP, kSecAttrProtocolNNTPS,
        kSecAttrProtocolLDAPS, kSecAttrProtocolTelnetS, kSecAttrProtocolIMAPS,
        kSecAttrProtocolIRCS, kSecAttrProtocolPOP3S,
    ].map { $0 as String }

    static let authenticationTypes = [
        kSecAttrAuthenticationTypeNTLM, kSecAttrAuthenticationTypeMSN,
        kSecAttrAuthenticationTypeDPA, kSecAttrAuthenticationTypeRPA,
        kSecAttrAuthenticationTypeHTTPBasic, kSecAttrAuthenticationTypeHTTPDigest,
        kSecAttrAuthenticationTypeHTMLForm, kSecAttrAuthenticationTypeDefault,
    ].map { $0 as String }

    @Test(.requirement("CLS-17"), arguments: protocols)
    func `that names a protocol comes back as stored`(name: String) throws {
        #expect(name.utf8.count == 4)
        #expect(Set(Self.protocols).count == 31)
        try roundTrip(kSecAttrProtocol, name)
    }

    @Test(.requirement("CLS-18"), arguments: authenticationTypes)
    func `that names an authentication type comes back as stored`(name: String) throws {
        #expect(name.utf8.count == 4)
        #expect(Set(Self.authenticationTypes).count == 8)
        try roundTrip(kSecAttrAuthenticationType, name)
    }

    private func roundTrip(_ attribute: CFString, _ name: String) throws {
        try onNewDevice { _ in
            let bare: Attributes = [
                kSecClass: kSecClassInternetPassword, kSecAttrServer: "example.com",
            ]
            let item = bare.with([attribute: name])
            #expect(Items.add(bare) == errSecSuccess)
            #expect(Items.add(item) == errSecSuccess)
            #expect(Items.count(item) == 1)
            #expect(Items.attributes(item)[attribute as String] as? String == name)
        }
    }
}
