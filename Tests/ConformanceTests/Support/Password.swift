import KeychainSimulator
import Security

/// A generic password as a test names it, and the four functions on it.
struct Password: Sendable {
    var service = "mail"
    var account = "ada"
    /// Goes into every call: class, group or synchronizable attribute of the item.
    var group: String?
    /// `true`, `false`, or nil to leave the attribute out.
    var isSynchronizable: Bool?

    /// What names the item in a query.
    var query: [String: Any] {
        var query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: account,
        ]
        if let group { query[kSecAttrAccessGroup as String] = group }
        if let isSynchronizable { query[kSecAttrSynchronizable as String] = isSynchronizable }
        return query
    }

    /// Adds the item; `accessible` is a value of `kSecAttrAccessible`, such as `"ak"`.
    @discardableResult
    func add(
        _ value: String = "open sesame",
        accessible: String? = nil,
        _ more: [CFString: Any] = [:]
    ) -> OSStatus {
        var attributes = query(with: more)
        attributes[kSecValueData as String] = Data(value.utf8)
        if let accessible { attributes[kSecAttrAccessible as String] = accessible }
        return SecItemAdd(attributes as CFDictionary, nil)
    }

    /// Reads the value; nil text when none came back.
    func read(_ more: [CFString: Any] = [:]) -> Reading {
        var query = query(with: more)
        query[kSecReturnData as String] = true
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        return Reading(status, (result as? Data).map { String(decoding: $0, as: UTF8.self) })
    }

    /// Looks for the item without asking for anything of it.
    func find(_ more: [CFString: Any] = [:]) -> OSStatus {
        SecItemCopyMatching(query(with: more) as CFDictionary, nil)
    }

    /// Reads the attributes alone.
    func attributes(_ more: [CFString: Any] = [:]) -> (status: OSStatus, found: [String: Any]) {
        var query = query(with: more)
        query[kSecReturnAttributes as String] = true
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        return (status, result as? [String: Any] ?? [:])
    }

    /// Updates the item.
    @discardableResult
    func update(_ changes: [CFString: Any], where more: [CFString: Any] = [:]) -> OSStatus {
        SecItemUpdate(query(with: more) as CFDictionary, changes as CFDictionary)
    }

    /// Gives the item another value.
    @discardableResult
    func update(_ value: String) -> OSStatus { update([kSecValueData: Data(value.utf8)]) }

    /// Deletes the item.
    @discardableResult
    func delete(_ more: [CFString: Any] = [:]) -> OSStatus {
        SecItemDelete(query(with: more) as CFDictionary)
    }

    private func query(with more: [CFString: Any]) -> [String: Any] {
        var query = query
        for (key, value) in more { query[key as String] = value }
        return query
    }
}

/// What a read returned.
struct Reading: Sendable, Hashable, CustomStringConvertible {
    let status: OSStatus
    let text: String?

    init(_ status: OSStatus, _ text: String? = nil) {
        self.status = status
        self.text = text
    }

    /// The value that ``Password/add(_:accessible:_:)`` stores by default.
    static let value = Reading(errSecSuccess, "open sesame")
    static let notFound = Reading(errSecItemNotFound)
    static let notAllowed = Reading(errSecInteractionNotAllowed)
    static let notEntitled = Reading(errSecMissingEntitlement)

    var description: String { "\(status) \(text ?? "nothing")" }
}

extension SimulatedDevice {
    /// Installs `com.example.app`.
    func installExample() -> SimulatedApp { install(.init(bundleIdentifier: "com.example.app")) }
}
