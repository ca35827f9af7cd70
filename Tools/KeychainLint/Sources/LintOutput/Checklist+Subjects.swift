extension Checklist {
    /// ★ The code that a rule concerns: without one of these texts, the rule has nothing to find.
    ///
    /// The longest prefix of the rule's number decides.
    private static let words: [String: [String]] = [
        "KC1": ["SecItem"],
        "KC114": ["kSecAttrGeneric"],
        "KC2": ["SecItemAdd"],
        "KC208": ["WhenPasscodeSet"],
        "KC3": ["SecAccessControl", "LAContext"],
        "KC307": ["SecAccessControl"],
        "KC308": ["ReuseDuration"],
        "KC4": ["SecItem"],
        "KC401": ["kSecClassInternetPassword", "http", "server", "Server"],
        "KC402": ["dentity"],
        "KC403": ["SecKey", "kSecClassKey"],
        "KC404": ["SecKey", "kSecClassKey"],
        "KC405": ["ertificate"],
        "KC406": ["ertificate"],
        "KC407": ["SecKey", "kSecClassKey"],
        "KC409": ["SecKey", "kSecClassKey"],
        "KC5": ["SecItem"],
        "KC502": ["SecItemAdd"],
        "KC508": ["SecItemAdd"],
        "KC6": ["SecItem"],
        "KC601": ["igrat", "UserDefaults", "removeItem"],
        "KC602": ["ThisDeviceOnly"],
        "KC606": ["igrat"],
        "KC607": ["igrat"],
        "KC608": ["igrat"],
        "KC612": ["igrat", "UserDefaults", "removeItem"],
        "KC613": ["igrat", "UserDefaults", "removeItem"],
        "KC614": ["igrat"],
        "KC7": ["kSecAttrAccessGroup"],
        "KC703": ["kSecAttrAccessGroup"],
        "KC704": ["kSecAttrSynchronizable"],
        "KC707": ["SecItem"],
        "KC8": ["SecItem"],
        "KC9": ["SecItem"],
    ]

    static func subjects(of rule: String) -> [String] {
        var prefix = rule
        while !prefix.isEmpty {
            if let found = words[prefix] { return found }
            prefix.removeLast()
        }
        return []
    }
}
