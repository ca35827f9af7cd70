import Foundation
import KeychainHost
import KeychainMessages
import KeychainMigration
import KeychainModel
import Secrets
import Synchronization

/// A keychain that stores items with their attributes from a Secret Service, so that
/// `keychain-secret-service` finds them as before.
///
/// Keychain Services have no such attributes. An internal request therefore adds an item and its
/// attributes together, or neither.
final class LookupKeychain: Keychain {
    private let base: any Keychain
    private let endpoint: @Sendable () throws(KeychainError) -> any Endpoint
    /// The lookup pairs of items to add, by the identifier of the address.
    private let pairs = Mutex<[String: [UInt8]]>([:])

    init(
        _ base: any Keychain,
        endpoint: @escaping @Sendable () throws(KeychainError) -> any Endpoint = {
            () throws(KeychainError) in try RequestRouter.endpoint()
        }
    ) {
        self.base = base
        self.endpoint = endpoint
    }

    /// Records the attributes of an item that will be added at the address.
    func keep(_ encoded: [UInt8], of address: ItemAddress) {
        pairs.withLock { $0[address.identifier] = encoded }
    }

    func add(_ item: KeychainItem) throws(KeychainFailure) {
        guard let encoded = pairs.withLock({ $0[item.address.identifier] }) else {
            return try base.add(item)
        }
        do throws(KeychainError) {
            _ = try endpoint().send(ItemRequest.add(Self.entry(item, encoded)))
        } catch {
            throw KeychainFailure(.add, status: error.status.rawValue)
        }
    }

    private static func entry(_ item: KeychainItem, _ encoded: [UInt8]) -> AttributeDictionary {
        var entry: AttributeDictionary = [:]
        for (name, value) in item.attributes { entry[name.rawValue] = AttributeValue(value) }
        entry[QueryKey.itemClass.rawValue] = .string(item.kind.rawValue)
        entry[.lookupPairs] = .data(encoded)
        if let accessibility = item.accessibility {
            entry[.accessible] = .string(accessibility.rawValue)
        }
        if let value = item.value {
            let secret = Secret(copying: Array(value.copyBytesUnprotected()))
            entry[QueryKey.valueData.rawValue] = .secret(SharedSecret(secret))
        }
        return entry
    }
}

extension AttributeValue {
    fileprivate init(_ value: ItemValue) {
        self =
            switch value {
            case .text(let text): .string(text)
            case .data(let bytes): .data([UInt8](bytes))
            case .number(let number): .number(number)
            case .date(let date): .date(date.timeIntervalSinceReferenceDate)
            }
    }
}

// Operations that the keychain performs unchanged.
extension LookupKeychain {
    func read(_ address: ItemAddress) throws(KeychainFailure) -> KeychainItem? {
        try base.read(address)
    }

    func exists(_ address: ItemAddress) throws(KeychainFailure) -> Bool {
        try base.exists(address)
    }

    func list(_ scope: ItemScope, gated: GatedItems) throws(KeychainFailure) -> [KeychainItem] {
        try base.list(scope, gated: gated)
    }

    func hasGatedItems(_ scope: ItemScope) throws(KeychainFailure) -> Bool {
        try base.hasGatedItems(scope)
    }

    func update(_ address: ItemAddress, _ change: ItemChange) throws(KeychainFailure) {
        try base.update(address, change)
    }

    func delete(_ address: ItemAddress) throws(KeychainFailure) { try base.delete(address) }

    func delete(_ item: KeychainItem) throws(KeychainFailure) { try base.delete(item) }

    func deleteAll(_ scope: ItemScope) throws(KeychainFailure) { try base.deleteAll(scope) }
}
