import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

private var either: [CFString: Any] { [kSecAttrSynchronizable: kSecAttrSynchronizableAny] }
/// `kSecAttrTombstone`, which Apple's public headers do not have.
private var ofTombstones: [CFString: Any] { [String.tombstone as CFString: true] }
private let synced = Password(isSynchronizable: true)

@Suite struct `The tombstone of a deleted item` {
    let device: SimulatedDevice
    let app: SimulatedApp

    init() throws {
        device = try SimulatedDevice()
        app = device.installExample()
    }

    @Test func `is left by a synchronizable one, and shows only where it is asked for`() {
        app.run {
            #expect(synced.add() == errSecSuccess)
            #expect(synced.find(ofTombstones) == errSecItemNotFound)
            #expect(synced.delete() == errSecSuccess)
            #expect(synced.read() == .notFound)
            #expect(Password().read(either) == .notFound)
            #expect(synced.update("another") == errSecItemNotFound)
            #expect(synced.delete() == errSecItemNotFound)
            let (status, found) = synced.attributes(ofTombstones)
            #expect(status == errSecSuccess)
            #expect(found[kSecAttrAccount as String] as? String == "ada")
            #expect(found[.tombstone] as? Int == 1)
        }
    }

    @Test func `holds no secret`() {
        app.run {
            #expect(synced.add() == errSecSuccess)
            #expect(synced.delete() == errSecSuccess)
            #expect(synced.read(ofTombstones).text != "open sesame")
        }
    }

    @Test func `is not left by a local one`() {
        app.run {
            #expect(Password().add() == errSecSuccess)
            #expect(Password().delete() == errSecSuccess)
            #expect(Password().find(ofTombstones.merging(either) { $1 }) == errSecItemNotFound)
        }
    }

    @Test func `gives way to the item that is added again`() throws {
        try app.run {
            #expect(synced.add() == errSecSuccess)
            let before = synced.attributes([kSecReturnPersistentRef: true]).found
            #expect(synced.delete() == errSecSuccess)
            let deleted = synced.attributes(ofTombstones).found
            #expect(synced.add("new") == errSecSuccess)
            #expect(synced.find(ofTombstones) == errSecItemNotFound)
            #expect(synced.read() == Reading(errSecSuccess, "new"))
            let after = synced.attributes([kSecReturnPersistentRef: true]).found
            let reference = kSecValuePersistentRef as String
            #expect(after[reference] as? Data == before[reference] as? Data)
            let changed = kSecAttrModificationDate as String
            let dates = try [before, deleted, after].map { try #require($0[changed] as? Date) }
            #expect(dates[0] < dates[1] && dates[1] < dates[2])
        }
    }

    @Test func `goes for good when it is deleted itself`() {
        app.run {
            #expect(synced.add() == errSecSuccess)
            #expect(synced.delete() == errSecSuccess)
            #expect(synced.delete(ofTombstones) == errSecSuccess)
            #expect(synced.find(ofTombstones) == errSecItemNotFound)
            #expect(synced.delete(ofTombstones) == errSecItemNotFound)
        }
    }

    /// A kind of item, what `kSecUseTombstones` says, and whether a tombstone is left.
    typealias Wish = (isSynchronizable: Bool, wish: Bool, isLeft: Bool)

    @Test(
        arguments: [
            (isSynchronizable: true, wish: false, isLeft: false),
            (isSynchronizable: false, wish: true, isLeft: true),
        ] as [Wish]
    )
    func `can be wished for or declined`(row: Wish) {
        let password = Password(isSynchronizable: row.isSynchronizable)
        app.run {
            #expect(password.add() == errSecSuccess)
            #expect(password.delete([String.useTombstones as CFString: row.wish]) == errSecSuccess)
            #expect((password.find(ofTombstones) == errSecSuccess) == row.isLeft)
        }
    }

    @Test(.requirement("ACC-27")) func `is not left while the item is out of reach`() throws {
        try app.run {
            #expect(synced.add(accessible: .whenUnlocked) == errSecSuccess)
            device.lock()
            #expect(synced.delete() == errSecSuccess)
            try device.unlock(passcode: "0000")
            #expect(synced.find(ofTombstones) == errSecItemNotFound)
        }
    }

    @Test func `is left under its old name by an item that is renamed`() throws {
        let device = try SimulatedDevice(behavior: .appleSource)
        let renamed = Password(account: "grace", isSynchronizable: true)
        device.installExample().run {
            #expect(synced.add() == errSecSuccess)
            #expect(synced.update([kSecAttrAccount: "grace"]) == errSecSuccess)
            #expect(renamed.read() == .value)
            #expect(synced.read() == .notFound)
            #expect(synced.find(ofTombstones) == errSecSuccess)
            #expect(renamed.find(ofTombstones) == errSecItemNotFound)
        }
    }

    @Test func `belongs to the item's group`() {
        app.run {
            #expect(synced.add() == errSecSuccess)
            #expect(synced.delete() == errSecSuccess)
        }
        device.install(.init(bundleIdentifier: "com.example.other")).run {
            #expect(synced.find(ofTombstones) == errSecItemNotFound)
            #expect(synced.delete(ofTombstones) == errSecItemNotFound)
        }
        #expect(app.run { synced.find(ofTombstones) } == errSecSuccess)
    }
}
