import Foundation
import KeychainModel
import KeychainServices
import Secrets

/// The items of the benchmark: logins with realistic attributes and a secret of one kilobyte.
///
/// A hundred items have the same service; every account and every label is unique.
struct SampleItem {
    static let secretByteCount = 1024
    static let countPerService = 100

    let number: Int

    var service: String { "com.example.service.\(number / Self.countPerService)" }
    var account: String { "user-\(number)@mail.example.org" }
    var label: String { "Example login \(number)" }

    private var secretBytes: [UInt8] {
        (0..<Self.secretByteCount).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) }
    }

    var secret: Data { Data(secretBytes) }

    private var primaryKey: [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: account,
        ]
    }

    /// The dictionary for a `SecItemAdd`.
    var addition: CFDictionary {
        primaryKey.merging([
            kSecAttrLabel as String: label,
            kSecAttrDescription as String: "web form password",
            kSecAttrComment as String: "made by the password generator",
            kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlocked,
            kSecValueData as String: secret,
        ]) { $1 } as CFDictionary
    }

    /// Returns a search by primary key for the value, the attributes, or neither.
    func search(data: Bool = false, attributes: Bool = false) -> CFDictionary {
        var query = primaryKey
        if data { query[kSecReturnData as String] = true }
        if attributes { query[kSecReturnAttributes as String] = true }
        return query as CFDictionary
    }

    /// A search for the value by label.
    var searchByLabel: CFDictionary {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrLabel as String: label,
            kSecReturnData as String: true,
        ] as [String: Any] as CFDictionary
    }

    /// A search for all attributes of the hundred items of the service.
    var searchByService: CFDictionary {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecMatchLimit as String: kSecMatchLimitAll,
            kSecReturnAttributes as String: true,
        ] as [String: Any] as CFDictionary
    }

    /// A search for all attributes of all items.
    static var searchForAll: CFDictionary {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecMatchLimit as String: kSecMatchLimitAll,
            kSecReturnAttributes as String: true,
        ] as [String: Any] as CFDictionary
    }

    /// The contents of `addition`, in the engine's form.
    var request: AttributeDictionary {
        [
            QueryKey.itemClass.rawValue: .string(ItemClass.genericPassword.rawValue),
            Attribute.service.rawValue: .string(service),
            Attribute.account.rawValue: .string(account),
            Attribute.label.rawValue: .string(label),
            Attribute.description.rawValue: .string("web form password"),
            Attribute.comment.rawValue: .string("made by the password generator"),
            Attribute.accessible.rawValue: .string(ProtectionClass.whenUnlocked.code),
            QueryKey.valueData.rawValue: .secret(SharedSecret(Secret(copying: secretBytes))),
        ]
    }
}
