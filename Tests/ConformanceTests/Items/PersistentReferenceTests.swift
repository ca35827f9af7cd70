import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

@Suite struct `A persistent reference` {
    private func resolve(_ reference: Data) -> Found {
        Items.find([kSecValuePersistentRef: reference, kSecReturnData: true])
    }

    @Test(.requirement("QRY-26"), arguments: StoredClass.all)
    func `finds its item again`(row: StoredClass) throws {
        try onNewDevice { _ in
            Items.add(row.item.holding("secret"))
            Items.add(.mail.with([kSecAttrAccount: "bob"]).holding("another"))
            let reference = try #require(Items.reference(row.item))
            #expect(resolve(reference).text == "secret")
            let withClass: Attributes = [
                kSecClass: row.code, kSecValuePersistentRef: reference, kSecReturnData: true,
            ]
            #expect(Items.find(withClass).text == "secret")
            #expect(Items.reference([kSecValuePersistentRef: reference]) == reference)
        }
    }

    @Test(.requirement("QRY-26"), .contradiction("persistent-references"))
    func `survives the end of the process, a reboot and an update`() throws {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: directory) }
        let manifest = SimulatedApp.Manifest(bundleIdentifier: "com.example.app")
        let reference = try SimulatedDevice(directory: directory).install(manifest).run {
            Items.add(.mail.holding("secret"))
            return try #require(Items.reference(.mail))
        }
        let device = try SimulatedDevice(directory: directory)
        device.reboot()
        try device.unlock(passcode: "0000")
        device.install(manifest).run {
            #expect(resolve(reference).text == "secret")
            Items.update(.mail, ([kSecAttrLabel: "new"] as Attributes).holding("changed"))
            #expect(resolve(reference).text == "changed")
        }
    }

    @Test func `works in an update and in a delete, also beside attributes`() throws {
        try onNewDevice { _ in
            Items.add(.mail.holding("secret"))
            Items.add(.mail.with([kSecAttrAccount: "bob"]).holding("another"))
            let reference = try #require(Items.reference(.mail))
            let query: Attributes = [kSecValuePersistentRef: reference]
            #expect(Items.update(query, Attributes().holding("changed")) == errSecSuccess)
            #expect(resolve(reference).text == "changed")
            let wrong = query.with([kSecAttrAccount: "bob"])
            #expect(Items.delete(wrong) == errSecItemNotFound)
            #expect(Items.delete(query) == errSecSuccess)
            #expect(resolve(reference).status == errSecItemNotFound)
            #expect(Items.count([kSecClass: kSecClassGenericPassword]) == 1)
        }
    }

    @Test(
        .requirement("QRY-30"),
        arguments: [kSecAttrAccount, kSecAttrService, kSecAttrLabel].map { $0 as String }
    )
    func `stands without other attributes in a search`(attribute: String) throws {
        try onNewDevice { _ in
            Items.add(.mail.with([kSecAttrLabel: "ada"]).holding("secret"))
            let reference = try #require(Items.reference(.mail))
            let query: Attributes = [kSecValuePersistentRef: reference, kSecReturnData: true]
            #expect(Items.find(query.with(attribute, .text("ada"))).status == errSecParam)
        }
    }

    /// The class's letters, then so many bytes.
    private static func reference(_ letters: String, _ count: Int) -> Sample {
        .data(Array(letters.utf8) + Array(repeating: 0xFF, count: count))
    }

    static let malformed: [Sample] = [
        .data([]), reference(.genericPassword, 0), reference(.genericPassword, 7),
        reference(.genericPassword, 15),
        reference(.genericPassword, 17), reference(.genericPassword, 4096), reference("what", 16),
        .data(Array(repeating: 0xFF, count: 20)), .text("genp0123456789abcdef"), .null, .number(1),
    ]

    @Test(arguments: malformed)
    func `that is none is refused`(reference: Sample) throws {
        try expect(errSecParam, for: reference)
    }

    @Test(arguments: [reference(.genericPassword, 16), reference(.genericPassword, 8)])
    func `to no item finds none`(reference: Sample) throws {
        try expect(errSecItemNotFound, for: reference)
    }

    private func expect(_ expected: OSStatus, for reference: Sample) throws {
        try onNewDevice { _ in
            Items.add(.mail.holding("secret"))
            let before = Snapshot()
            let query: Attributes = [kSecValuePersistentRef: reference.object]
            #expect(Items.find(query).status == expected)
            #expect(Items.update(query, [kSecAttrLabel: "x"]) == expected)
            #expect(Items.delete(query) == expected)
            #expect(Snapshot() == before)
        }
    }

    @Test func `of one class is not of another`() throws {
        try onNewDevice { _ in
            Items.add(.mail.holding("secret"))
            let reference = try #require(Items.reference(.mail))
            let query: Attributes = [
                kSecClass: kSecClassInternetPassword, kSecValuePersistentRef: reference,
            ]
            #expect(Items.find(query).status == errSecNoSuchClass)
        }
    }

    @Test func `does not open another app's item`() throws {
        try onNewDevice { device in
            Items.add(.mail.holding("secret"))
            let reference = try #require(Items.reference(.mail))
            device.install(.init(bundleIdentifier: "com.example.other")).run {
                let query: Attributes = [kSecValuePersistentRef: reference]
                #expect(Items.find(query).status == errSecItemNotFound)
                #expect(Items.delete(query) == errSecItemNotFound)
            }
            #expect(Items.value(.mail) == "secret")
        }
    }
}

@Suite struct `An update` {
    @Test(.requirement("QRY-37"))
    func `keeps creation date, access control and persistent reference`() throws {
        try onNewDevice { _ in
            let control = SecAccessControlCreateWithFlags(
                nil,
                kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
                [],
                nil
            )
            Items.add(.mail.with([kSecAttrAccessControl: control as Any]).holding("secret"))
            let before = Items.attributes(.mail)
            let reference = try #require(Items.reference(.mail))
            let changes = ([kSecAttrLabel: "new"] as Attributes).holding("changed")
            #expect(Items.update(.mail, changes) == errSecSuccess)
            let after = Items.attributes(.mail)
            #expect(before[.creationDate] as? Date != nil)
            #expect(after[.creationDate] as? Date == before[.creationDate] as? Date)
            #expect(after[.accessControl] as? SecAccessControl == control)
            #expect(after[.accessible] as? String == .afterFirstUnlockThisDeviceOnly)
            let earlier = try #require(before[.modificationDate] as? Date)
            #expect(try #require(after[.modificationDate] as? Date) > earlier)
            #expect(Items.reference(.mail) == reference)
            #expect(
                Items.find([kSecValuePersistentRef: reference, kSecReturnData: true]).text
                    == "changed"
            )
        }
    }

    @Test(.requirement("QRY-38"), .contradiction("delete-then-add"))
    func `is not what delete and add do`() throws {
        try onNewDevice { device in
            Items.add(.mail.holding("secret"))
            let before = try #require(Items.attributes(.mail)[.creationDate] as? Date)
            let reference = try #require(Items.reference(.mail))
            device.advance(by: .seconds(1))
            #expect(Items.delete(.mail) == errSecSuccess)
            #expect(Items.add(.mail.holding("secret")) == errSecSuccess)
            let after = try #require(Items.attributes(.mail)[.creationDate] as? Date)
            #expect(before < after)
            #expect(Items.find([kSecValuePersistentRef: reference]).status == errSecItemNotFound)
        }
    }
}
