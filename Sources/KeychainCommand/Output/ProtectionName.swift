import KeychainModel

/// Protection classes by the names people type.
enum ProtectionName {
    /// The class of a code (`ak`), a name or a whole constant; letter case does not matter.
    static func protection(_ text: String) -> ProtectionClass? {
        let text = text.lowercased()
        return ProtectionClass.table.first { row in
            let name = row.protectionClass.name.lowercased()
            return text == row.code || text == name || text == row.constant.lowercased()
        }?.protectionClass
    }

    /// All names, most restrictive first.
    static let all = ProtectionClass.table.map(\.protectionClass.name)
}
