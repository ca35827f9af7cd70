import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

@Suite struct `Restoring over a keychain` {
    private let device: SimulatedDevice
    private let app: SimulatedApp
    private let backup: Data

    init() throws {
        device = try SimulatedDevice()
        app = device.installExample()
        app.run {
            Password().add("of the backup")
            Password(account: "bob").add("of the backup")
        }
        backup = try device.backup(password: "tape")
        device.advance(by: .seconds(60))
        device.removeFindings()
    }

    @Test(.requirement("BAK-11"))
    func `keeps a newer item of the device, and reports it`() throws {
        app.run { #expect(Password().update("newer") == errSecSuccess) }
        let report = try device.restore(backup, password: "tape")
        #expect(app.run { Password().read() } == Reading(errSecSuccess, "newer"))
        #expect(report.conflicts.count == 2)
        #expect(report.keptCount == 2)
        #expect(report.conflicts.contains { $0.name == "ada" && !$0.isReplaced })
        #expect(device.findings.filter { $0.rule == "restore-conflict" }.count == 2)
    }

    @Test(.requirement("BAK-11"))
    func `replaces an older item, and reports it`() throws {
        app.run { #expect(Password().update("newer") == errSecSuccess) }
        let newer = try device.backup(password: "tape")
        try device.restore(backup, password: "tape")
        let old = try SimulatedDevice()
        try old.restore(backup, password: "tape")
        #expect(old.installExample().run { Password().read() }.text == "of the backup")
        let report = try old.restore(newer, password: "tape")
        #expect(old.installExample().run { Password().read() }.text == "newer")
        #expect(report.restoredCount == 1)
        #expect(report.conflicts.count { $0.isReplaced } == 1)
    }

    @Test(.requirement("BAK-11"))
    func `reports a deletion after the backup as such, and no conflict`() throws {
        let synced = Password(account: "synced", isSynchronizable: true)
        app.run { #expect(synced.add("of the backup") == errSecSuccess) }
        let backup = try device.backup(password: "tape")
        device.advance(by: .seconds(60))
        app.run { #expect(synced.delete() == errSecSuccess) }
        let report = try device.restore(backup, password: "tape")
        #expect(report.deletedCount == 1)
        #expect(!report.conflicts.contains { $0.name == "synced" })
        #expect(report.keptCount == 2)
        #expect(app.run { synced.read() } == .notFound)
    }

    @Test func `keeps the items that the backup knows nothing of`() throws {
        app.run { #expect(Password(account: "eve").add("mine") == errSecSuccess) }
        try device.restore(backup, password: "tape")
        #expect(app.run { Password(account: "eve").read() } == Reading(errSecSuccess, "mine"))
    }

    @Test func `brings persistent reference, dates and attributes back`() throws {
        let wanted: [CFString: Any] = [kSecReturnPersistentRef: true]
        let before = app.run { Password().attributes(wanted).found }
        app.run { #expect(Password().delete() == errSecSuccess) }
        try device.restore(backup, password: "tape")
        let after = app.run { Password().attributes(wanted).found }
        #expect(NSDictionary(dictionary: before) == NSDictionary(dictionary: after))
    }

    @Test func `gives no reference away that another item has`() throws {
        // The item moved to another primary key after the backup, with its reference.
        let app = device.install(
            .init(bundleIdentifier: "com.example.app", keychainAccessGroups: ["moved"])
        )
        let moved = "TEAMID1234.moved"
        app.run {
            #expect(Password().update([kSecAttrAccessGroup: moved]) == errSecSuccess)
        }
        #expect(try device.restore(backup, password: "tape").restoredCount == 1)
        app.run {
            let group = { (name: String) in
                Password(group: name).attributes([kSecReturnPersistentRef: true])
                    .found[kSecValuePersistentRef as String] as? Data
            }
            let references = [group(moved), group("TEAMID1234.com.example.app")]
            #expect(references[0] != nil)
            #expect(references[1] != nil)
            #expect(references[0] != references[1])
        }
    }

    @Test(.requirement("BAK-12"))
    func `does nothing for a wrong password`() throws {
        app.run { #expect(Password().delete() == errSecSuccess) }
        let error = #expect(throws: SimulatorError.self) {
            try device.restore(backup, password: "rope")
        }
        #expect(error?.status == errSecAuthFailed)
        #expect(app.run { Password().read() } == .notFound)
        #expect(app.run { Password(account: "bob").read() }.text == "of the backup")
    }

    @Test func `needs an unlocked device, as making a backup does`() throws {
        device.lock()
        let made = #expect(throws: SimulatorError.self) { try device.backup(password: "tape") }
        #expect(made?.status == errSecInteractionNotAllowed)
        let restored = #expect(throws: SimulatorError.self) {
            try device.restore(backup, password: "tape")
        }
        #expect(restored?.status == errSecInteractionNotAllowed)
    }

    @Test func `needs a password with at least one byte`() throws {
        let error = #expect(throws: SimulatorError.self) { try device.backup(password: "") }
        #expect(error?.status == errSecParam)
    }

    @Test func `brings nothing for this device only back once it was erased`() throws {
        app.run {
            #expect(
                Password(account: "bound").add(accessible: .whenUnlockedThisDeviceOnly)
                    == errSecSuccess
            )
        }
        let backup = try device.backup(password: "tape")
        device.erase()
        let report = try device.restore(backup, password: "tape")
        #expect(report.restoredCount == 2)
        #expect(report.foreignCount == 1)
        #expect(device.installExample().run { Password().read() }.text == "of the backup")
    }
}
