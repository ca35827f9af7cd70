import ModelTestSupport
import Security
import Testing

/// Everything that the running app can see, in a form that can be compared.
struct Snapshot: Equatable {
    let lines: [String]

    /// Takes the snapshot; a search that is refused is an issue, and no empty keychain.
    init() {
        lines = [String.genericPassword, .internetPassword, .certificate, .key].flatMap(
            Self.lines(of:)
        )
    }

    private static func lines(of itemClass: String) -> [String] {
        let found = Items.find([
            kSecClass: itemClass,
            kSecAttrSynchronizable: kSecAttrSynchronizableAny,
            kSecMatchLimit: kSecMatchLimitAll,
            kSecReturnAttributes: true,
            kSecReturnData: true,
            kSecReturnPersistentRef: true,
        ])
        guard [errSecSuccess, errSecItemNotFound].contains(found.status) else {
            Issue.record("the search for \(itemClass) was refused with \(found.status)")
            return ["\(itemClass) \(found.status)"]
        }
        return found.dictionaries.map { item in
            itemClass + item.keys.sorted().map { " \($0)=\(text(item[$0]))" }.joined()
        }
    }

    private static func text(_ value: Any?) -> String {
        switch value {
        case let data as Data: data.base64EncodedString()
        case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
        case let control as SecAccessControl: control.description
        default: "\(value ?? "nothing")"
        }
    }
}
