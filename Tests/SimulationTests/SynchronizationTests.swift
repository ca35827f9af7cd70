import KeychainServices
import KeychainSimulator
import TestSupport
import Testing

@Suite struct `Devices of one account` {
    @Test(.requirement("SYN-01", "SIM-13"))
    func `have the same synchronizable items, and nothing else of each other`() throws {
        let (account, phone, tablet) = try SyncedDevice.pair()
        let stranger = try SyncedDevice()
        #expect(phone.add("shared") == errSecSuccess)
        #expect(phone.add("local", "local", [kSecAttrSynchronizable: false]) == errSecSuccess)
        #expect(tablet.value() == nil)
        account.synchronize()
        #expect(tablet.value() == "shared")
        let everything: [CFString: Any] = [kSecAttrSynchronizable: kSecAttrSynchronizableAny]
        #expect(phone.value("local", everything) == "local")
        #expect(tablet.value("local", everything) == nil)
        #expect(stranger.value() == nil)
    }

    @Test(.requirement("SYN-06")) func `follow updates and deletions`() throws {
        let (account, phone, tablet) = try SyncedDevice.pair()
        phone.add("1")
        account.synchronize()
        #expect(tablet.update("2") == errSecSuccess)
        account.synchronize()
        #expect(phone.value() == "2")
        #expect(phone.delete() == errSecSuccess)
        account.synchronize()
        #expect(tablet.value() == nil)
        #expect(tablet.status(ofClass: kSecClassGenericPassword) == errSecItemNotFound)
        #expect(tablet.add("3") == errSecSuccess)
        account.synchronize()
        #expect(phone.value() == "3")
    }

    @Test(.requirement("SYN-07"))
    func `have persistent references of their own, which a change from afar ends`() throws {
        let (account, phone, tablet) = try SyncedDevice.pair()
        phone.add("1")
        account.synchronize()
        let mine = try #require(phone.persistentReference())
        let theirs = try #require(tablet.persistentReference())
        #expect(phone.status(of: mine) == errSecSuccess)
        #expect(tablet.status(of: mine) == errSecItemNotFound)
        tablet.update("2")
        account.synchronize()
        #expect(tablet.status(of: theirs) == errSecSuccess)
        #expect(phone.status(of: mine) == errSecItemNotFound)
        #expect(phone.status(of: try #require(phone.persistentReference())) == errSecSuccess)
    }

    @Test(
        .requirement("SYN-03"),
        arguments: [
            (.iOS(13), .iOS(26), false), (.iOS(14), .iOS(26), true), (.iOS(26), .iOS(13), false),
            (.macOS(11), .iOS(26), true), (.watchOS(6), .iOS(26), false),
        ] as [(SystemProfile, SystemProfile, Bool)]
    )
    func `exchange certificates, keys and identities if both know how`(
        from: SystemProfile,
        to: SystemProfile,
        isExchanged: Bool
    ) throws {
        let (account, first, second) = try SyncedDevice.pair(from, to)
        #expect(first.addOneOfEachClass() == [0, 0, 0, 0])
        account.synchronize()
        let passwords = [kSecClassGenericPassword, kSecClassInternetPassword]
        #expect(passwords.map(second.status(ofClass:)) == [0, 0])
        let others = [kSecClassCertificate, kSecClassKey, kSecClassIdentity]
        let expected = isExchanged ? errSecSuccess : errSecItemNotFound
        #expect(others.map(second.status(ofClass:)) == [expected, expected, expected])
        #expect(others.map(first.status(ofClass:)) == [0, 0, 0])
        // An item that a device does not know is nothing that it deleted.
        second.add("another", "grace")
        account.synchronize()
        #expect(others.map(first.status(ofClass:)) == [0, 0, 0])
        #expect(first.value("grace") == "another")
    }

    @Test(.requirement("SYN-08"))
    func `do not exchange anything with an Apple TV, which accepts the attribute`() throws {
        let (account, television, phone) = try SyncedDevice.pair(.tvOS(26), .iOS(26))
        #expect(television.add("on the television") == errSecSuccess)
        phone.add("on the phone", "grace")
        account.synchronize()
        #expect(phone.value() == nil)
        #expect(television.value("grace") == nil)
        #expect(television.value() == "on the television")
    }

    @Test(.requirement("GRP-23"))
    func `include a watch, whose keychain an access group does not join`() throws {
        let (account, phone, watch) = try SyncedDevice.pair(.iOS(26), .watchOS(26))
        let group = "TEAMID1234.com.example.app"
        #expect(phone.add("shared", "ada", [kSecAttrAccessGroup: group]) == errSecSuccess)
        let local: [CFString: Any] = [kSecAttrSynchronizable: false, kSecAttrAccessGroup: group]
        #expect(phone.add("local", "local", local) == errSecSuccess)
        account.synchronize()
        #expect(watch.value("ada", [kSecAttrAccessGroup: group]) == "shared")
        #expect(watch.value("local", local) == nil)
    }

    @Test(.requirement("SYN-12")) func `tell whoever runs the relay nothing`() throws {
        let (account, phone, tablet) = try SyncedDevice.pair()
        phone.add("a value to look for", "an account to look for")
        account.synchronize()
        tablet.update("another to look for", "an account to look for")
        account.synchronize()
        #expect(phone.value("an account to look for") == "another to look for")
        let content = account.relayContent
        #expect(content.count > 3)
        let words = ["to look for", "mail", "com.example", "device 1"]
        let found = words.filter { word in
            content.contains { $0.range(of: Data(word.utf8)) != nil }
        }
        #expect(found == [])
    }

    @Test(.requirement("SYN-13")) func `keep items local while synchronization is off`() throws {
        let (account, phone, tablet) = try SyncedDevice.pair()
        phone.device.isSynchronizationOn = false
        #expect(!phone.device.isSynchronizationOn && tablet.device.isSynchronizationOn)
        phone.add("mine")
        tablet.add("theirs", "grace")
        account.synchronize()
        #expect(tablet.value() == nil && phone.value("grace") == nil)
        phone.device.isSynchronizationOn = true
        account.synchronize()
        #expect(tablet.value() == "mine" && phone.value("grace") == "theirs")
        // A device that signs out keeps what it has, and hears of nothing more.
        phone.device.signOut()
        tablet.update("later", "grace")
        account.synchronize()
        #expect(phone.value("grace") == "theirs")
        #expect(phone.device.account == nil)
    }
}
