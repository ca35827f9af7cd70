import Foundation
import KeychainServices

/// One call, repeated many times, to count its instructions, allocations and syncs.
///
/// The keychain in `KEYCHAIN_HOME` contains the first `itemCount` items.
enum VerbLoop: String, CaseIterable {
    case findData = "find-data"
    case findAttributes = "find-attributes"
    case exists
    case miss
    case list
    case add
    case update
    case delete

    /// The least number of calls for which dictionaries are made.
    ///
    /// Two runs of fewer calls prepare the same dictionaries, so they differ only in their calls.
    /// Making a dictionary is the work of the caller, not of the keychain.
    private static let preparedCount = 64

    /// Makes the given number of calls.
    func run(itemCount: Int, calls: Int) throws {
        let numbers = 0..<max(calls, Self.preparedCount)
        let items = numbers.map { SampleItem(number: $0 * 7 % itemCount) }
        // These items are not in the keychain.
        let others = numbers.map { SampleItem(number: itemCount * 2 + $0) }
        let changes = [kSecValueData as String: items[0].secret] as CFDictionary
        for dictionary in (isAboutOthers ? others : items).map(dictionary).prefix(calls) {
            try call(dictionary, changes)
        }
    }

    private var isAboutOthers: Bool { self == .miss || self == .add }

    private func dictionary(of item: SampleItem) -> CFDictionary {
        switch self {
        case .findData, .miss: item.search(data: true)
        case .findAttributes: item.search(attributes: true)
        case .exists, .update, .delete: item.search()
        case .list: item.searchByService
        case .add: item.addition
        }
    }

    private func call(_ dictionary: CFDictionary, _ changes: CFDictionary) throws {
        switch self {
        case .findData: try Calls.findData(dictionary)
        case .findAttributes: try Calls.findAttributes(dictionary)
        case .exists: try Calls.expect(SecItemCopyMatching(dictionary, nil))
        case .miss: try Calls.expect(SecItemCopyMatching(dictionary, nil), errSecItemNotFound)
        case .list: try Calls.list(dictionary, count: SampleItem.countPerService)
        case .update: try Calls.expect(SecItemUpdate(dictionary, changes))
        case .add: try Calls.expect(SecItemAdd(dictionary, nil))
        case .delete: try Calls.expect(SecItemDelete(dictionary))
        }
    }
}
