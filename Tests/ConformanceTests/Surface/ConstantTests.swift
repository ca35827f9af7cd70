import Security
import TestSupport
import Testing

@Suite struct `Apple's string constants` {
    @Test(.requirement("API-04", "API-22"), arguments: ConstantRow.all)
    func `have Apple's values`(row: ConstantRow) {
        #expect(row.value == row.expected)
    }

    @Test(.requirement("API-22"), arguments: Deprecated.names.constants)
    func `have Apple's values when deprecated`(row: ConstantRow) {
        #expect(row.value == row.expected)
    }

    @Test func `become Swift strings in every spelling`() {
        #expect(kSecClass as String == "class")
        #expect(String(kSecClass) == "class")
        #expect("\(kSecClass)" == "class")
        #expect((kSecClass as String) + "x" == "classx")
        #expect(CFStringGetLength(kSecClass) == 5)
    }

    @Test func `equal other strings of the same characters both ways`() {
        let plain = NSString(string: "acct")
        #expect(kSecAttrAccount.isEqual(plain) && plain.isEqual(kSecAttrAccount))
        #expect(kSecAttrAccount.hash == plain.hash)
        #expect(CFEqual(kSecAttrAccount, plain) && !CFEqual(kSecAttrAccount, kSecAttrService))
        #expect(AnyHashable(kSecAttrAccount) == AnyHashable("acct"))
    }

    @Test func `can be told apart in a switch`() {
        let value: CFString = NSString(string: "inet")
        let found =
            switch value {
            case kSecClassGenericPassword: "generic"
            case kSecClassInternetPassword: "internet"
            default: "neither"
            }
        #expect(found == "internet")
    }
}

@Suite(.requirement("API-12")) struct `A constant as a dictionary key` {
    @Test func `finds what a Swift string stored`() throws {
        let attributes: [AnyHashable: Any] = ["acct": "ada", "svce": "mail"]
        #expect(attributes[kSecAttrAccount] as? String == "ada")
        let object: NSDictionary = ["acct": "ada"]
        #expect(object[kSecAttrAccount] as? String == "ada")
        let swift = try #require(object as? [String: Any])
        #expect(swift[kSecAttrAccount as String] as? String == "ada")
    }

    @Test func `works with string keys`() {
        var query: [String: Any] = [kSecClass as String: kSecClassGenericPassword]
        query[kSecReturnData as String] = kCFBooleanTrue
        query[String(kSecMatchLimit)] = kSecMatchLimitOne
        #expect(Self.text(query as CFDictionary, "class") == "genp")
        #expect(Self.text(query as CFDictionary, "m_Limit") == "m_LimitOne")
    }

    @Test func `works with constant keys`() throws {
        let query: [CFString: Any] = [kSecClass: kSecClassKey, kSecAttrLabel: "pump"]
        #expect(query[kSecAttrLabel] as? String == "pump")
        let object = query as CFDictionary
        #expect(Self.text(object, "class") == "keys")
        let back = try #require(object as? [String: Any])
        #expect(back["labl"] as? String == "pump")
    }

    @Test func `works in object literals and older dictionaries`() {
        let literal: NSDictionary = [kSecClass: kSecClassKey]
        let hashable: [AnyHashable: Any] = [kSecClass: kSecClassKey]
        let objects: [String: AnyObject] = [kSecClass as String: kSecClassKey]
        let strings: [NSString: Any] = [kSecClass: kSecClassKey]
        let mutable = NSMutableDictionary()
        mutable[kSecClass] = kSecClassKey
        mutable.setValue("gone", forKey: kSecAttrLabel as String)
        mutable.setValue(nil, forKey: kSecAttrLabel as String)
        let queries = [
            literal, hashable as CFDictionary, objects as CFDictionary, strings as CFDictionary,
            mutable,
        ]
        let classes = queries.map { Self.text($0, "class") }
        #expect(classes == ["keys", "keys", "keys", "keys", "keys"])
        #expect(queries.map { CFDictionaryGetCount($0) } == [1, 1, 1, 1, 1])
    }

    private static func text(_ query: CFDictionary, _ key: String) -> String? {
        (query as? [String: Any])?[key] as? String
    }
}
