import Foundation

#if canImport(Darwin)
    import Security
#else
    import KeychainServices
#endif

/// The four functions that this module calls for items; tests replace them to stop in between.
struct KeychainCalls: Sendable {
    typealias Result = UnsafeMutablePointer<CFTypeRef?>

    var add: @Sendable (CFDictionary, Result?) -> OSStatus
    var copy: @Sendable (CFDictionary, Result?) -> OSStatus
    var update: @Sendable (CFDictionary, CFDictionary) -> OSStatus
    var delete: @Sendable (CFDictionary) -> OSStatus

    static let system = KeychainCalls(
        add: { SecItemAdd($0, $1) },
        copy: { SecItemCopyMatching($0, $1) },
        update: { SecItemUpdate($0, $1) },
        delete: { SecItemDelete($0) }
    )

    /// Finds items and returns what the query asks for; nil if there are none.
    func found(_ query: [String: Any]) -> (status: OSStatus, object: CFTypeRef?) {
        var object: CFTypeRef?
        let status = copy(query as CFDictionary, &object)
        return (status, status == errSecSuccess ? object : nil)
    }
}
