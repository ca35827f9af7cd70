import KeychainSimulator
import Security

/// A query dictionary as apps write it.
typealias Attributes = [CFString: Any]

extension Attributes {
    /// The password that most tests are about; its value is not part of it.
    static var mail: Attributes {
        [
            kSecClass: kSecClassGenericPassword,
            kSecAttrService: "mail",
            kSecAttrAccount: "ada",
        ]
    }

    /// The same with further entries, which win.
    func with(_ more: Attributes) -> Attributes { merging(more) { $1 } }

    /// The same with one further entry.
    func with(_ key: String, _ sample: Sample) -> Attributes {
        with([key as CFString: sample.object])
    }

    /// The same with text as `kSecValueData`.
    func holding(_ text: String) -> Attributes { with([kSecValueData: Data(text.utf8)]) }
}

/// What a call that can return something returned.
struct Found {
    let status: OSStatus
    let object: CFTypeRef?

    /// A bridge of Foundation would copy it byte by byte.
    var data: Data? {
        (object as? NSData).map { Data(bytes: $0.bytes, count: $0.length) }
    }
    var text: String? { data.map { String(decoding: $0, as: UTF8.self) } }
    var attributes: [String: Any] { object as? [String: Any] ?? [:] }
    var list: [Any] { object as? [Any] ?? [] }
    var dictionaries: [[String: Any]] { object as? [[String: Any]] ?? [] }
}

/// The four functions, called with a literal.
enum Items {
    @discardableResult
    static func add(_ attributes: Attributes) -> OSStatus {
        SecItemAdd(attributes as CFDictionary, nil)
    }

    static func adding(_ attributes: Attributes) -> Found {
        var result: CFTypeRef?
        let status = SecItemAdd(attributes as CFDictionary, &result)
        return Found(status: status, object: result)
    }

    static func find(_ query: Attributes) -> Found {
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        return Found(status: status, object: result)
    }

    @discardableResult
    static func update(_ query: Attributes, _ changes: Attributes) -> OSStatus {
        SecItemUpdate(query as CFDictionary, changes as CFDictionary)
    }

    @discardableResult
    static func delete(_ query: Attributes) -> OSStatus { SecItemDelete(query as CFDictionary) }

    /// The value of the one item that matches.
    static func value(_ query: Attributes) -> String? {
        find(query.with([kSecReturnData: true])).text
    }

    /// The attributes of the one item that matches.
    static func attributes(_ query: Attributes) -> [String: Any] {
        find(query.with([kSecReturnAttributes: true])).attributes
    }

    /// The persistent reference of the one item that matches.
    static func reference(_ query: Attributes) -> Data? {
        find(query.with([kSecReturnPersistentRef: true])).data
    }

    /// How many items match.
    static func count(_ query: Attributes) -> Int {
        find(query.with([kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true])).list.count
    }
}

/// Runs code as `com.example.app` on a device of its own.
func onNewDevice(
    _ system: SystemProfile = .iOS(26),
    behavior: BehaviorProfile = .documented,
    groups: [String] = [],
    _ body: (SimulatedDevice) throws -> Void
) throws {
    let device = try SimulatedDevice(system: system, behavior: behavior)
    let app = device.install(
        .init(bundleIdentifier: "com.example.app", keychainAccessGroups: groups)
    )
    try app.run { try body(device) }
}

extension SimulatedDevice {
    /// The first finding with that rule id.
    func finding(_ rule: String) -> Finding? { findings.first { $0.rule == rule } }
}
