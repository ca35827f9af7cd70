import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

/// The dictionary types in which existing apps write their queries.
enum QueryShape: String, CaseIterable, Sendable {
    case stringToAny, stringToObject, stringToHashable, optionalStringToObject
    case constantToAny, constantToHashable
    case hashableToAny, objectToObject, foundationStringToAny, stringToFoundationObject
    case foundationLiteral, mutableDictionary

    /// Names the password `account`, and the value under `key` as well.
    func query(_ account: String, _ key: CFString, _ value: NSObject) -> CFDictionary {
        switch self {
        case .stringToAny: strings(account, key, value) as CFDictionary
        case .stringToObject: objects(account, key, value) as CFDictionary
        case .stringToHashable: hashables(account, key, value) as CFDictionary
        case .optionalStringToObject: optionals(account, key, value) as CFDictionary
        case .constantToAny: constants(account, key, value) as CFDictionary
        case .constantToHashable: constantHashables(account, key, value) as CFDictionary
        case .hashableToAny: anything(account, key, value) as CFDictionary
        case .objectToObject: rootObjects(account, key, value) as CFDictionary
        case .foundationStringToAny: foundationStrings(account, key, value) as CFDictionary
        case .stringToFoundationObject: foundationObjects(account, key, value) as CFDictionary
        case .foundationLiteral:
            [kSecClass: kSecClassGenericPassword, kSecAttrAccount: account, key: value]
        case .mutableDictionary: mutable(account, key, value)
        }
    }

    private func strings(_ account: String, _ key: CFString, _ value: NSObject) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: account,
            key as String: value,
        ]
    }

    private func objects(
        _ account: String,
        _ key: CFString,
        _ value: NSObject
    ) -> [String: AnyObject] {
        var query = [String: AnyObject]()
        query[kSecClass as String] = kSecClassGenericPassword
        query[kSecAttrAccount as String] = account as AnyObject?
        query[key as String] = value
        query[kSecUseDataProtectionKeychain as String] = kCFBooleanTrue
        return query
    }

    private func hashables(
        _ account: String,
        _ key: CFString,
        _ value: NSObject
    ) -> [String: AnyHashable] {
        var query: [String: AnyHashable] = [
            kSecClass as String: kSecClassGenericPassword as String,
            kSecAttrAccount as String: account,
        ]
        query[key as String] = value
        return query
    }

    /// What comes of keys that are declared as `String!`.
    private func optionals(
        _ account: String,
        _ key: CFString,
        _ value: NSObject
    ) -> [String?: AnyObject] {
        let classKey: String! = kSecClass as String
        let accountKey: String! = kSecAttrAccount as String
        let lastKey: String! = key as String
        return [
            classKey: kSecClassGenericPassword, accountKey: account as AnyObject, lastKey: value,
        ]
    }

    private func constants(
        _ account: String,
        _ key: CFString,
        _ value: NSObject
    ) -> [CFString: Any] {
        [kSecClass: kSecClassGenericPassword, kSecAttrAccount: account, key: value]
    }

    private func constantHashables(
        _ account: String,
        _ key: CFString,
        _ value: NSObject
    ) -> [CFString: AnyHashable] {
        [kSecClass: kSecClassGenericPassword, kSecAttrAccount: account, key: value]
    }

    private func anything(
        _ account: String,
        _ key: CFString,
        _ value: NSObject
    ) -> [AnyHashable: Any] {
        [kSecClass: kSecClassGenericPassword, kSecAttrAccount as String: account, key: value]
    }

    private func rootObjects(
        _ account: String,
        _ key: CFString,
        _ value: NSObject
    ) -> [NSObject: AnyObject] {
        [kSecClass: kSecClassGenericPassword, kSecAttrAccount: account as NSString, key: value]
    }

    private func foundationStrings(
        _ account: String,
        _ key: CFString,
        _ value: NSObject
    ) -> [NSString: Any] {
        [kSecClass: kSecClassGenericPassword, kSecAttrAccount: account, key: value]
    }

    private func foundationObjects(
        _ account: String,
        _ key: CFString,
        _ value: NSObject
    ) -> [String: NSObject] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrAccount as String: account as NSString, key as String: value,
        ]
    }

    private func mutable(
        _ account: String,
        _ key: CFString,
        _ value: NSObject
    ) -> NSMutableDictionary {
        let query = NSMutableDictionary()
        query[kSecClass] = kSecClassGenericPassword
        query[kSecAttrAccount as String] = account
        query.setObject(value, forKey: key)
        return query
    }
}

@Suite struct `A query dictionary` {
    @Test(
        .requirement("API-12", "API-13"),
        arguments: QueryShape.allCases,
        QueryShape.allCases
    )
    func `names in every type what one of another type added`(
        shape: QueryShape,
        other: QueryShape
    ) throws {
        try onNewDevice { _ in
            let secret = Data("secret".utf8) as NSData
            #expect(SecItemAdd(shape.query("ada", kSecValueData, secret), nil) == 0)
            let status = SecItemAdd(other.query("ada", kSecValueData, secret), nil)
            #expect(status == errSecDuplicateItem)
        }
    }

    @Test(.requirement("API-12", "API-13"), arguments: QueryShape.allCases)
    func `means the same in every type that apps give it`(shape: QueryShape) throws {
        try onNewDevice { _ in
            let secret = Data("secret".utf8) as NSData
            #expect(SecItemAdd(shape.query("ada", kSecValueData, secret), nil) == 0)
            var data: CFTypeRef?
            let read = shape.query("ada", kSecReturnData, NSNumber(value: true))
            #expect(SecItemCopyMatching(read, &data) == errSecSuccess)
            #expect(data as? Data == Data("secret".utf8))
            let query = shape.query("ada", kSecAttrSynchronizable, kSecAttrSynchronizableAny)
            let changes = [kSecAttrLabel: "Letters"] as CFDictionary
            #expect(SecItemUpdate(query, changes) == errSecSuccess)
            #expect(SecItemDelete(query) == errSecSuccess)
        }
    }

    @Test(.requirement("API-12")) func `answers with one that reads in every type`() throws {
        try onNewDevice { _ in
            let item = QueryShape.foundationLiteral.query(
                "ada",
                kSecValueData,
                Data("secret".utf8) as NSData
            )
            #expect(SecItemAdd(item, nil) == errSecSuccess)
            let read = QueryShape.foundationLiteral.query(
                "ada",
                kSecReturnAttributes,
                NSNumber(value: true)
            )
            var answer: CFTypeRef?
            #expect(SecItemCopyMatching(read, &answer) == errSecSuccess)
            let name = kSecAttrAccount as String
            #expect((answer as? [String: Any])?[name] as? String == "ada")
            #expect((answer as? [String: AnyObject])?[name] as? String == "ada")
            #expect((answer as? [String: AnyHashable])?[name] as? String == "ada")
            #expect((answer as? [CFString: Any])?[kSecAttrAccount] as? String == "ada")
            #expect((answer as? [CFString: AnyHashable])?[kSecAttrAccount] as? String == "ada")
            #expect((answer as? [AnyHashable: Any])?[kSecAttrAccount] as? String == "ada")
            #expect((answer as? [AnyHashable: Any])?[name] as? String == "ada")
            #expect((answer as? NSDictionary)?[kSecAttrAccount] as? String == "ada")
            #expect((answer as? [String: Any])?[.modificationDate] is Date)
        }
    }
}
