import Foundation

#if canImport(Darwin)
    import LocalAuthentication
    import Security
#else
    import KeychainAuthentication
    import KeychainServices
#endif

/// Dictionaries for Keychain Services, in one place.
enum ItemDictionary {
    /// Returns a dictionary with the class; on a Mac, it selects the data protection keychain.
    static func base(_ sort: ItemSort) -> [String: Any] {
        [
            kSecClass as String: sort.itemClass,
            kSecUseDataProtectionKeychain as String: true,
        ]
    }

    /// Returns a query for one item; without a group, it matches in all groups of the program.
    static func identity(_ name: ItemName, in group: String?) -> [String: Any] {
        var query = base(name.sort)
        for (key, value) in name.attributes { query[key] = value.object }
        query[kSecAttrSynchronizable as String] = name.isSynced
        if let group { query[kSecAttrAccessGroup as String] = group }
        return query
    }

    /// Returns the attributes of an item without its secret; nil if the system refuses the
    /// combination.
    static func details(of item: some SecretItem, isNew: Bool) -> [String: Any]? {
        var details: [String: Any] = [:]
        if let label = item.label { details[kSecAttrLabel as String] = label }
        if let comment = item.comment { details[kSecAttrComment as String] = comment }
        guard let protection = protection(item.protection, isNew: isNew) else { return nil }
        return details.merging(protection) { $1 }
    }

    /// Returns the one attribute that protects an item.
    ///
    /// An update leaves the constraint of an item as it is, because Apple's guides refuse another.
    static func protection(_ protection: Protection, isNew: Bool) -> [String: Any]? {
        guard let constraint = protection.constraint else {
            return [kSecAttrAccessible as String: protection.availability.constant]
        }
        guard isNew else { return [:] }
        guard
            let control = SecAccessControlCreateWithFlags(
                kCFAllocatorDefault,
                protection.availability.constant,
                constraint.flags,
                nil
            )
        else { return nil }
        return [kSecAttrAccessControl as String: control]
    }
}

/// The context of all calls that must not prompt.
///
/// The class is `@unchecked Sendable` because nothing changes the context after `init`, and
/// `LAContext` permits calls from any thread.
final class SilentContext: @unchecked Sendable {
    static let shared = SilentContext()
    let context = LAContext()

    private init() { context.interactionNotAllowed = true }
}
