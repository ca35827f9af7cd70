import KeychainModel

/// The names of protection classes on the command line.
enum ProtectionName {
    /// Returns the class with a code (`ak`), a name or a constant, in any letter case.
    static func protection(_ text: String) -> ProtectionClass? {
        let text = text.lowercased()
        return ProtectionClass.table.first { row in
            let name = row.protectionClass.name.lowercased()
            return text == row.code || text == name || text == row.constant.lowercased()
        }?.protectionClass
    }

    /// All names, the most restrictive first.
    static let all = ProtectionClass.table.map(\.protectionClass.name)
}
