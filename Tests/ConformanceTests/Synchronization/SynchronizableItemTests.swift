import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

private var either: [CFString: Any] { [kSecAttrSynchronizable: kSecAttrSynchronizableAny] }
private let synced = Password(isSynchronizable: true)

@Suite struct `A synchronizable item` {
    let device: SimulatedDevice
    let app: SimulatedApp

    init() throws {
        device = try SimulatedDevice()
        app = device.installExample()
    }

    @Test(.requirement("SYN-04"), .contradiction("synchronizable-default"))
    func `is found only by a search that speaks of synchronizable items`() {
        app.run {
            #expect(synced.add() == errSecSuccess)
            #expect(Password().read() == .notFound)
            #expect(Password(isSynchronizable: false).read() == .notFound)
            #expect(synced.read() == .value)
            #expect(Password().read(either) == .value)
        }
    }

    @Test(.requirement("SYN-04")) func `leaves local ones to those who ask for them`() {
        app.run {
            #expect(Password().add() == errSecSuccess)
            #expect(Password().read() == .value)
            #expect(Password(isSynchronizable: false).read() == .value)
            #expect(Password().read(either) == .value)
            #expect(synced.read() == .notFound)
        }
    }

    @Test(.requirement("SYN-05"))
    func `is left alone by an update or delete that does not mention it`() {
        let everyPassword: [CFString: Any] = [kSecClass: kSecClassGenericPassword]
        let everything = everyPassword.merging(either) { $1 }
        app.run {
            #expect(synced.add() == errSecSuccess)
            #expect(Password().update("another") == errSecItemNotFound)
            #expect(Password().add("local") == errSecSuccess)
            #expect(Password().update("changed") == errSecSuccess)
            #expect(synced.read() == .value)
            #expect(SecItemDelete(everyPassword as CFDictionary) == errSecSuccess)
            #expect(synced.read() == .value)
            #expect(Password().update([kSecAttrLabel: "Mail"], where: either) == errSecSuccess)
            #expect(SecItemDelete(everything as CFDictionary) == errSecSuccess)
            #expect(Password().read(either) == .notFound)
        }
    }

    @Test(.requirement("SYN-09")) func `coexists with a local one of the same name`() {
        app.run {
            #expect(Password().add("local") == errSecSuccess)
            #expect(synced.add("synced") == errSecSuccess)
            #expect(Password().read() == Reading(errSecSuccess, "local"))
            #expect(synced.read() == Reading(errSecSuccess, "synced"))
            #expect(synced.add("again") == errSecDuplicateItem)
            #expect(Password().add("again") == errSecDuplicateItem)
            #expect(synced.update([kSecAttrSynchronizable: false]) == errSecDuplicateItem)
            #expect(Password().delete() == errSecSuccess)
            #expect(synced.read() == Reading(errSecSuccess, "synced"))
        }
    }

    @Test(.requirement("SYN-11")) func `cannot have an access control`() throws {
        let control = try #require(
            SecAccessControlCreateWithFlags(
                nil,
                kSecAttrAccessibleWhenUnlocked,
                .userPresence,
                nil
            )
        )
        app.run {
            #expect(synced.add("value", [kSecAttrAccessControl: control]) == errSecParam)
            #expect(Password().read(either) == .notFound)
        }
        #expect(device.findings.map(\.rule).contains("access-control-and-synchronizable"))
    }

    @Test(.requirement("SYN-14"), arguments: [nil, true, false] as [Bool?])
    func `is in the data protection keychain of a Mac, with the flag or without`(
        flag: Bool?
    ) throws {
        let mac = try SimulatedDevice(system: .macOS(26))
        let more: [CFString: Any] = flag.map { [kSecUseDataProtectionKeychain: $0] } ?? [:]
        mac.installExample().run {
            #expect(synced.add("open sesame", more) == errSecSuccess)
            #expect(synced.read([kSecUseDataProtectionKeychain: true]) == .value)
        }
    }
}

@Suite struct `A synchronizable item of a ThisDeviceOnly class` {
    static let bound = Accessibility.all.filter(\.isThisDeviceOnly)

    @Test(.requirement("SYN-02"), arguments: bound)
    func `is refused, in an add and in an update`(row: Accessibility) throws {
        let device = try SimulatedDevice()
        let local = Password(account: "local")
        device.installExample().run {
            #expect(synced.add(accessible: row.value) == errSecParam)
            #expect(Password().read(either) == .notFound)
            #expect(synced.add(accessible: .afterFirstUnlock) == errSecSuccess)
            #expect(synced.update([kSecAttrAccessible: row.value]) == errSecParam)
            let found = synced.attributes().found[kSecAttrAccessible as String] as? String
            #expect(found == .afterFirstUnlock)
            #expect(local.add(accessible: row.value) == errSecSuccess)
            #expect(local.update([kSecAttrSynchronizable: true]) == errSecParam)
            #expect(local.read() == .value)
        }
        let named = device.findings.filter { $0.rule == "synchronizable-this-device" }
        #expect(named.map(\.status) == [errSecParam, errSecParam, errSecParam])
        #expect(named.allSatisfy { $0.otherProfile?.contains("appleSource") == true })
    }

    @Test(.requirement("SYN-02"), arguments: bound)
    func `is stored where the profile follows Apple's source`(row: Accessibility) throws {
        let device = try SimulatedDevice(behavior: .appleSource)
        device.installExample().run {
            #expect(synced.add(accessible: row.value) == errSecSuccess)
            #expect(synced.read() == .value)
            #expect(Password().read() == .notFound)
        }
        #expect(
            device.findings.filter { $0.rule == "synchronizable-this-device" }.map(\.status) == [
                errSecSuccess
            ]
        )
    }

    @Test(.requirement("SYN-02"), arguments: Accessibility.all.filter { !$0.isThisDeviceOnly })
    func `is unlike one of the other classes`(row: Accessibility) throws {
        let device = try SimulatedDevice()
        device.installExample().run {
            #expect(synced.add(accessible: row.value) == errSecSuccess)
            #expect(synced.read() == .value)
        }
    }
}
