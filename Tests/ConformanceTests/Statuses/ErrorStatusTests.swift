import Cryptography
import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

@Suite struct `The status` {
    @Test(
        .requirement("ERR-01"),
        arguments: [String.genericPassword, .internetPassword, .certificate, .key]
    )
    func `of all four functions is zero when they succeed`(itemClass: String) throws {
        var query: [CFString: Any] = [kSecClass: itemClass, kSecAttrLabel: "an item"]
        if itemClass == .key { query[kSecAttrKeyType] = kSecAttrKeyTypeRSA }
        let added = query.merging([kSecValueData: Data("open sesame".utf8)]) { $1 }
        let change: [CFString: Any] = [kSecAttrLabel: "renamed"]
        let renamed = query.merging(change) { $1 }
        try SimulatedDevice().installExample().run {
            #expect(SecItemAdd(added as CFDictionary, nil) == errSecSuccess)
            #expect(SecItemCopyMatching(query as CFDictionary, nil) == errSecSuccess)
            #expect(SecItemUpdate(query as CFDictionary, change as CFDictionary) == errSecSuccess)
            #expect(SecItemDelete(renamed as CFDictionary) == errSecSuccess)
        }
    }

    /// A way to spoil an add, and the status that it earns.
    struct Cause: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let status: OSStatus
        let spoil: @Sendable (inout [CFString: Any]) -> Void

        init(
            _ description: String,
            _ status: OSStatus,
            _ spoil: @escaping @Sendable (inout [CFString: Any]) -> Void
        ) {
            self.testDescription = description
            self.status = status
            self.spoil = spoil
        }
    }

    static let causes = [
        Cause("both accessibility attributes", errSecParam) {
            $0[kSecAttrAccessible] = kSecAttrAccessibleWhenUnlocked
            $0[kSecAttrAccessControl] = SecAccessControlCreateWithFlags(
                nil,
                kSecAttrAccessibleWhenUnlocked,
                .userPresence,
                nil
            )
        },
        Cause("synchronizable and ThisDeviceOnly", errSecParam) {
            $0[kSecAttrSynchronizable] = true
            $0[kSecAttrAccessible] = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        },
        Cause("an identity", errSecParam) {
            $0 = [kSecClass: kSecClassIdentity, kSecAttrLabel: "an identity"]
        },
        Cause("an application tag on a certificate", errSecParam) {
            $0 = [kSecClass: kSecClassCertificate, kSecAttrApplicationTag: Data("tag".utf8)]
        },
        Cause("a key without a type", errSecParam) {
            $0 = [kSecClass: kSecClassKey, kSecAttrApplicationTag: Data("tag".utf8)]
        },
        Cause("no class", errSecParam) { $0[kSecClass] = nil },
        Cause("a value that is no data", errSecParam) { $0[kSecValueData] = "text" },
        Cause("an account that is a date", errSecParam) { $0[kSecAttrAccount] = Date() },
        Cause("no value but null", errSecParam) { $0[kSecAttrService] = NSNull() },
        Cause("a key that nobody knows", errSecParam) { $0["somewhere"] = 1 },
        Cause("another class", errSecNoSuchClass) { $0[kSecClass] = "gene" },
        Cause("an attribute of another class", errSecNoSuchAttr) { $0[kSecAttrServer] = "host" },
        Cause("a foreign group", errSecMissingEntitlement) { $0[kSecAttrAccessGroup] = "foreign" },
        Cause("the same item again", errSecDuplicateItem) { $0[kSecAttrAccount] = "known" },
    ]

    @Test(.requirement("ERR-15", "ERR-16"), arguments: causes)
    func `names the cause, and a finding says more, but never the value`(cause: Cause) throws {
        let device = try SimulatedDevice()
        var item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "mail", kSecAttrAccount: "new",
            kSecValueData: Data("hunter2-marker".utf8),
        ]
        cause.spoil(&item)
        device.installExample().run {
            Password(account: "known").add("hunter2-marker")
            device.removeFindings()
            var result: CFTypeRef?
            #expect(SecItemAdd(item as CFDictionary, &result) == cause.status)
            #expect(result == nil)
            #expect(Password(account: "new").find() == errSecItemNotFound)
            #expect(Password(account: "known").read().text == "hunter2-marker")
        }
        let findings = device.findings.filter { $0.verb == .add && $0.status == cause.status }
        #expect(findings.contains { $0.rule == "refused-call" })
        #expect(findings.allSatisfy { !$0.sentence.isEmpty })
        #expect(device.findings.allSatisfy { !"\($0)".contains("hunter2") })
    }

    @Test(
        .requirement("ERR-06"),
        arguments: [String.genericPassword, .internetPassword, .certificate, .key]
    )
    func `of a second item with the same primary key is errSecDuplicateItem`(
        itemClass: String
    ) throws {
        let names: [String: [CFString: Any]] = [
            .genericPassword: [kSecAttrService: "mail", kSecAttrAccount: "ada"],
            .internetPassword: [kSecAttrServer: "example.com", kSecAttrAccount: "ada"],
            .certificate: [kSecAttrIssuer: Data([1]), kSecAttrSerialNumber: Data([2])],
            .key: [
                kSecAttrApplicationLabel: Data([3]), kSecAttrKeyType: kSecAttrKeyTypeRSA,
            ],
        ]
        var item = try #require(names[itemClass])
        item[kSecClass] = itemClass
        item[kSecValueData] = Data("one".utf8)
        var second = item
        second[kSecValueData] = Data("two".utf8)
        second[kSecAttrLabel] = "another label"
        try SimulatedDevice().installExample().run {
            #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
            #expect(SecItemAdd(second as CFDictionary, nil) == errSecDuplicateItem)
        }
    }

    @Test(.requirement("ERR-15"))
    func `of every function leaves a finding with its name`() throws {
        let device = try SimulatedDevice()
        device.installExample().run {
            #expect(Password().read() == .notFound)
            #expect(Password().update("another") == errSecItemNotFound)
            #expect(Password().delete() == errSecItemNotFound)
        }
        #expect(device.findings.map(\.verb) == [.copyMatching, .update, .delete])
        #expect(device.findings.allSatisfy { $0.status == errSecItemNotFound })
        #expect(device.findings.allSatisfy { $0.item == .genericPassword })
    }

    @Test(.requirement("SIM-22", "ERR-15"), arguments: [false, true])
    func `of a refused read is explained by item, lock state and context`(reboots: Bool) throws {
        let device = try SimulatedDevice()
        let app = device.installExample()
        app.run { _ = Password().add(accessible: .whenUnlocked) }
        if reboots { device.reboot() } else { device.lock() }
        device.removeFindings()
        #expect(app.run(.background) { Password().read() } == .notAllowed)
        let finding = try #require(device.findings.first)
        #expect(device.findings.count == 1)
        #expect(finding.item == .genericPassword)
        #expect(finding.sentence.contains("this item is WhenUnlocked"))
        let state = reboots ? "has not been unlocked since it started" : "is locked"
        #expect(finding.sentence.contains(state))
        #expect(finding.sentence.contains("background"))
        #expect(finding.description.contains("errSecInteractionNotAllowed (-25308)"))
    }
}

@Suite struct `Locked and absent` {
    /// One step in the life of a device.
    enum Step: String, Sendable, CaseIterable {
        case lock, unlock, reboot, delete, add
    }

    @Test(.requirement("ERR-09", "ERR-10"), arguments: 0..<8 as Range<UInt64>)
    func `are never confused, whatever happens`(seed: UInt64) throws {
        print("seed \(seed)")
        var random = SeededNumbers(seed: seed)
        let device = try SimulatedDevice()
        let app = device.installExample()
        var stored = Set<Accessibility>()
        for _ in 1...60 {
            guard let step = Step.allCases.randomElement(using: &random),
                let row = Accessibility.all.randomElement(using: &random)
            else { return }
            switch step {
            case .lock: device.lock()
            case .unlock: try device.unlock(passcode: "0000")
            case .reboot: device.reboot()
            case .delete:
                app.run { _ = row.password.delete() }
                stored.remove(row)
            case .add:
                let status = app.run { row.password.add(accessible: row.value) }
                if status == errSecSuccess { stored.insert(row) }
            }
            let open = Self.open(in: device.state)
            let expected: [Reading] = Accessibility.all.map { row in
                stored.contains(row) ? row.reading(whenAvailable: open) : .notFound
            }
            let found = app.run { Accessibility.all.map { $0.password.read() } }
            #expect(found == expected, "after \(step), seed \(seed)")
        }
    }

    private static func open(in state: SimulatedDevice.State) -> Set<Accessibility.Availability> {
        switch state {
        case .beforeFirstUnlock: [.always]
        case .locked: [.always, .afterFirstUnlock]
        case .unlocked: [.always, .afterFirstUnlock, .whileUnlocked]
        }
    }
}
