import KeychainModel

/// Protection classes by the names people type.
enum ProtectionName {
    private static let prefix = "kSecAttrAccessible"

    /// Apple's constant without its prefix, such as `WhenUnlocked`.
    static func name(of protection: ProtectionClass) -> String {
        String(protection.row.constant.dropFirst(prefix.count))
    }

    /// The class of a code (`ak`), a name or a whole constant; letter case does not matter.
    static func protection(_ text: String) -> ProtectionClass? {
        let text = text.lowercased()
        return ProtectionClass.table.first { row in
            let name = name(of: row.protectionClass).lowercased()
            return text == row.code || text == name || text == row.constant.lowercased()
        }?.protectionClass
    }

    /// All names, most restrictive first.
    static let all = ProtectionClass.table.map { name(of: $0.protectionClass) }
}
