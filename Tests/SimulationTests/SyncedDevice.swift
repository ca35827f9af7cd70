import KeychainServices
import KeychainSimulator

/// A device with one app, of the same name on every device.
struct SyncedDevice {
    let device: SimulatedDevice
    let app: SimulatedApp

    init(_ system: SystemProfile = .iOS(26), in account: SimulatedSyncAccount? = nil) throws {
        device = try SimulatedDevice(system: system)
        app = device.install(.example())
        if let account { try device.signIn(to: account) }
    }

    /// The same device with its app installed anew.
    init(again device: SimulatedDevice) {
        self.device = device
        app = device.install(.example())
    }

    /// Two of them in one account.
    static func pair(
        _ systems: SystemProfile...
    ) throws -> (account: SimulatedSyncAccount, SyncedDevice, SyncedDevice) {
        let account = SimulatedSyncAccount()
        let first = try SyncedDevice(systems.first ?? .iOS(26), in: account)
        return (account, first, try SyncedDevice(systems.last ?? .iOS(26), in: account))
    }

    private func query(_ account: String, _ more: [CFString: Any] = [:]) -> CFDictionary {
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "mail",
            kSecAttrAccount: account, kSecAttrSynchronizable: true,
            kSecUseDataProtectionKeychain: true,
        ]
        return query.merging(more) { $1 } as CFDictionary
    }

    /// Adds a synchronizable password of the app.
    @discardableResult
    func add(
        _ value: String,
        _ account: String = "ada",
        _ more: [CFString: Any] = [:]
    ) -> OSStatus {
        let item = query(account, [kSecValueData: Data(value.utf8)].merging(more) { $1 })
        return app.run { SecItemAdd(item, nil) }
    }

    @discardableResult
    func update(_ value: String, _ account: String = "ada") -> OSStatus {
        let change = [kSecValueData: Data(value.utf8)] as CFDictionary
        return app.run { SecItemUpdate(query(account), change) }
    }

    @discardableResult
    func delete(_ account: String = "ada") -> OSStatus {
        app.run { SecItemDelete(query(account)) }
    }

    /// The value; nil if there is no such item.
    func value(_ account: String = "ada", _ more: [CFString: Any] = [:]) -> String? {
        let data = result(query(account, more.merging([kSecReturnData: true]) { $1 })).result
        return (data as? Data).map { String(decoding: $0, as: UTF8.self) }
    }

    func persistentReference(_ account: String = "ada") -> Data? {
        result(query(account, [kSecReturnPersistentRef: true])).result as? Data
    }

    func status(of reference: Data) -> OSStatus {
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecValuePersistentRef: reference,
            kSecAttrSynchronizable: true, kSecUseDataProtectionKeychain: true,
        ]
        return result(query as CFDictionary).status
    }

    /// How a search for a synchronizable item of a class ends.
    func status(ofClass itemClass: CFString) -> OSStatus {
        let query: [CFString: Any] = [
            kSecClass: itemClass, kSecAttrSynchronizable: true,
            kSecReturnAttributes: true, kSecUseDataProtectionKeychain: true,
        ]
        return result(query as CFDictionary).status
    }

    private func result(_ query: CFDictionary) -> (status: OSStatus, result: CFTypeRef?) {
        var found: CFTypeRef?
        let status = app.run { SecItemCopyMatching(query, &found) }
        return (status, found)
    }

    /// Adds one synchronizable item of each class that has a table; the certificate and the key are
    /// an identity.
    func addOneOfEachClass() -> [OSStatus] {
        let hash = Data([7, 8, 9])
        let items: [[CFString: Any]] = [
            [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "ada"],
            [kSecClass: kSecClassInternetPassword, kSecAttrServer: "example.com"],
            [
                kSecClass: kSecClassCertificate, kSecAttrIssuer: Data([1]),
                kSecAttrSerialNumber: Data([2]), kSecAttrPublicKeyHash: hash,
            ],
            [
                kSecClass: kSecClassKey, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrApplicationLabel: hash,
                kSecAttrKeySizeInBits: 256,
            ],
        ]
        let more: [CFString: Any] = [
            kSecAttrSynchronizable: true, kSecUseDataProtectionKeychain: true,
            kSecValueData: Data("value".utf8),
        ]
        return items.map { item in
            app.run { SecItemAdd(item.merging(more) { $1 } as CFDictionary, nil) }
        }
    }
}
