import Foundation
import KeychainServices

/// One call made many times, for counting what it does: instructions, allocations, syncs.
///
/// The keychain in `KEYCHAIN_HOME` has the first `itemCount` items.
enum VerbLoop: String, CaseIterable {
    case findData = "find-data"
    case findAttributes = "find-attributes"
    case exists
    case miss
    case list
    case add
    case update
    case delete

    /// Makes the call so many times.
    func run(itemCount: Int, calls: Int) throws {
        let items = (0..<calls).map { SampleItem(number: $0 * 7 % itemCount) }
        switch self {
        case .findData:
            for query in items.map({ $0.search(data: true) }) { try Calls.findData(query) }
        case .findAttributes:
            let queries = items.map { $0.search(attributes: true) }
            for query in queries { try Calls.findAttributes(query) }
        case .exists:
            for query in items.map({ $0.search() }) {
                try Calls.expect(SecItemCopyMatching(query, nil))
            }
        case .miss:
            for query in Self.others(calls, itemCount).map({ $0.search(data: true) }) {
                try Calls.expect(SecItemCopyMatching(query, nil), errSecItemNotFound)
            }
        case .list:
            for query in items.map(\.searchByService) {
                try Calls.list(query, count: SampleItem.countPerService)
            }
        case .update:
            let changes = [kSecValueData as String: items[0].secret] as CFDictionary
            for query in items.map({ $0.search() }) {
                try Calls.expect(SecItemUpdate(query, changes))
            }
        case .add:
            for item in Self.others(calls, itemCount) {
                try Calls.expect(SecItemAdd(item.addition, nil))
            }
        case .delete:
            for item in items { try Calls.expect(SecItemDelete(item.search())) }
        }
    }

    /// Items that the keychain does not have.
    private static func others(_ count: Int, _ itemCount: Int) -> [SampleItem] {
        (0..<count).map { SampleItem(number: itemCount * 2 + $0) }
    }
}
