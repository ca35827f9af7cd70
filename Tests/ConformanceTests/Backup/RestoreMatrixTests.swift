import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

/// ★ What comes back of each accessibility, on another device and on the same one.
struct ReturnRow: Sendable, CustomTestStringConvertible {
    let accessible: String
    let onAnother: Reading
    let onTheSame: Reading
    var testDescription: String { accessible }

    static let all = [
        ReturnRow(
            accessible: .whenPasscodeSetThisDeviceOnly,
            onAnother: .notFound,
            onTheSame: .notFound
        ),
        ReturnRow(accessible: .whenUnlockedThisDeviceOnly, onAnother: .notFound, onTheSame: .value),
        ReturnRow(accessible: .whenUnlocked, onAnother: .value, onTheSame: .value),
        ReturnRow(
            accessible: .afterFirstUnlockThisDeviceOnly,
            onAnother: .notFound,
            onTheSame: .value
        ),
        ReturnRow(accessible: .afterFirstUnlock, onAnother: .value, onTheSame: .value),
        ReturnRow(accessible: .alwaysThisDeviceOnly, onAnother: .notFound, onTheSame: .value),
        ReturnRow(accessible: .always, onAnother: .value, onTheSame: .value),
    ]

    /// Deletes the items of every row.
    static func deleteAll(in app: SimulatedApp) {
        app.run {
            for row in all { Password(account: row.accessible).delete() }
        }
    }
}

@Suite struct `A restored backup` {
    private func backup(of device: SimulatedDevice) throws -> Data {
        device.installExample().run {
            for row in ReturnRow.all {
                let status = Password(account: row.accessible).add(accessible: row.accessible)
                #expect(status == errSecSuccess)
            }
        }
        return try device.backup(password: "tape")
    }

    @Test(
        .requirement(
            "BAK-01",
            "SIM-06",
            "ACC-08",
            "ACC-09",
            "ACC-10",
            "ACC-11",
            "ACC-12",
            "ACC-13",
            "ACC-14",
            "ACC-18",
            "ACC-29"
        ),
        arguments: ReturnRow.all
    )
    func `brings what migrates to another device, and nothing else`(row: ReturnRow) throws {
        let backup = try backup(of: SimulatedDevice())
        let other = try SimulatedDevice(passcode: "9876")
        let report = try other.restore(backup, password: "tape")
        #expect(report.restoredCount == 3)
        #expect(report.foreignCount == 3)
        let reading = other.installExample().run { Password(account: row.accessible).read() }
        #expect(reading == row.onAnother)
    }

    @Test(.requirement("ACC-08", "BAK-03"))
    func `lists no item of WhenPasscodeSetThisDeviceOnly`() throws {
        let device = try SimulatedDevice()
        let app = device.installExample()
        app.run {
            for account in ["one", "two"] {
                #expect(
                    Password(account: account).add(accessible: .whenPasscodeSetThisDeviceOnly)
                        == errSecSuccess
                )
            }
            #expect(Password(account: "three").add(accessible: .whenUnlocked) == errSecSuccess)
        }
        let sealed = try device.backup(password: "tape")
        let open = try device.backupWithoutPassword()
        app.run {
            #expect(SecItemDelete([kSecClass: kSecClassGenericPassword] as NSDictionary) == 0)
        }
        // Of what a backup lists, everything comes back, is there already, or is another device's.
        let other = try SimulatedDevice()
        let reports = [
            try device.restore(sealed, password: "tape"),
            try other.restore(sealed, password: "tape"),
        ]
        #expect(reports.map(\.restoredCount) == [1, 1])
        #expect(reports.map(\.conflicts.count) == [0, 0])
        #expect(reports.map(\.foreignCount) == [0, 0])
        app.run {
            #expect(SecItemDelete([kSecClass: kSecClassGenericPassword] as NSDictionary) == 0)
        }
        #expect(try device.restoreWithoutPassword(open).restoredCount == 1)
        #expect(app.run { Password(account: "one").read() } == .notFound)
    }

    @Test(.requirement("ACC-08"))
    func `is all that such an item could travel in: it is never synchronizable`() throws {
        let app = try SimulatedDevice().installExample()
        app.run {
            let item = Password(account: .whenPasscodeSetThisDeviceOnly)
            let synced: [CFString: Any] = [kSecAttrSynchronizable: true]
            #expect(item.add(accessible: .whenPasscodeSetThisDeviceOnly, synced) == errSecParam)
            #expect(item.find([kSecAttrSynchronizable: kSecAttrSynchronizableAny]) == -25300)
            #expect(item.add(accessible: .whenPasscodeSetThisDeviceOnly) == errSecSuccess)
            #expect(item.update(synced) == errSecParam)
            #expect(item.find(synced) == errSecItemNotFound)
            #expect(item.find() == errSecSuccess)
        }
    }

    @Test(.requirement("BAK-02", "BAK-03"), arguments: ReturnRow.all)
    func `brings ThisDeviceOnly items back to the same device`(row: ReturnRow) throws {
        let device = try SimulatedDevice()
        let backup = try backup(of: device)
        let app = device.installExample()
        ReturnRow.deleteAll(in: app)
        try device.setPasscode("4321", current: "0000")
        let report = try device.restore(backup, password: "tape")
        #expect(report.restoredCount == 6)
        #expect(app.run { Password(account: row.accessible).read() } == row.onTheSame)
    }

    @Test(arguments: ReturnRow.all)
    func `holds no ThisDeviceOnly item where the behavior excludes them`(row: ReturnRow) throws {
        var behavior = BehaviorProfile.documented
        behavior.backupThisDeviceOnly = .excluded
        let device = try SimulatedDevice(behavior: behavior)
        let backup = try backup(of: device)
        let app = device.installExample()
        ReturnRow.deleteAll(in: app)
        #expect(try device.restore(backup, password: "tape").restoredCount == 3)
        // What another device does not get, this one does not get either.
        #expect(app.run { Password(account: row.accessible).read() } == row.onAnother)
    }

    @Test(.requirement("BAK-06"), arguments: ReturnRow.all)
    func `without a password comes back on its own device alone`(row: ReturnRow) throws {
        let device = try SimulatedDevice()
        _ = try backup(of: device)
        let open = try device.backupWithoutPassword()
        let other = try SimulatedDevice()
        #expect(try other.restoreWithoutPassword(open).restoredCount == 0)
        #expect(
            other.installExample().run { Password(account: row.accessible).read() } == .notFound
        )
        let app = device.installExample()
        ReturnRow.deleteAll(in: app)
        #expect(try device.restoreWithoutPassword(open).restoredCount == 6)
        #expect(app.run { Password(account: row.accessible).read() } == row.onTheSame)
        #expect(throws: SimulatorError.self) {
            try device.restoreWithoutPassword(open.dropLast())
        }
    }

    @Test(.requirement("BAK-07"), arguments: ReturnRow.all)
    func `and a move from device to device bring the same`(row: ReturnRow) throws {
        let device = try SimulatedDevice()
        _ = try backup(of: device)
        let other = try SimulatedDevice(passcode: "9876")
        let report = try device.migrate(to: other)
        #expect(report.restoredCount == 3)
        #expect(report.foreignCount == 3)
        let reading = other.installExample().run { Password(account: row.accessible).read() }
        #expect(reading == row.onAnother)
    }

    @Test func `keeps the lock states of what it brings`() throws {
        let backup = try backup(of: SimulatedDevice())
        let other = try SimulatedDevice()
        try other.restore(backup, password: "tape")
        let app = other.installExample()
        other.lock()
        app.run {
            #expect(Password(account: .whenUnlocked).read() == .notAllowed)
            #expect(Password(account: .afterFirstUnlock).read() == .value)
        }
        other.reboot()
        app.run {
            #expect(Password(account: .afterFirstUnlock).read() == .notAllowed)
            #expect(Password(account: .always).read() == .value)
        }
    }

    @Test(.requirement("BAK-05", "KEY-17"))
    func `holds no key of the secure element`() throws {
        let device = try SimulatedDevice()
        let app = device.installExample()
        let tag = Data("seal".utf8)
        let query: [CFString: Any] = [
            kSecClass: kSecClassKey, kSecAttrApplicationTag: tag,
        ]
        app.run {
            let attributes: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom,
                kSecAttrKeySizeInBits: 256,
                kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
                kSecPrivateKeyAttrs: [
                    kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag,
                    kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked,
                ] as [CFString: Any],
            ]
            #expect(SecKeyCreateRandomKey(attributes as CFDictionary, nil) != nil)
            #expect(SecItemCopyMatching(query as CFDictionary, nil) == errSecSuccess)
        }
        let backup = try device.backup(password: "tape")
        app.run { #expect(SecItemDelete(query as CFDictionary) == errSecSuccess) }
        #expect(try device.restore(backup, password: "tape").restoredCount == 0)
        app.run {
            #expect(SecItemCopyMatching(query as CFDictionary, nil) == errSecItemNotFound)
        }
    }
}
