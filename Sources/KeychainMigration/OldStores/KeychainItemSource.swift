import Foundation

/// Keychain items as an old store, to give them another name, class, group or keychain.
///
/// An item is missing only if the keychain returns `errSecItemNotFound` (-25300). A locked item
/// (`errSecInteractionNotAllowed`, -25308) proves nothing, and an unreadable item is never deleted.
///
/// ```swift
/// let old = KeychainItemSource([oldAddress], in: ServicesKeychain())
/// let move = Move(oldAddress.identifier, from: old, to: newAddress)
/// ```
/// - Source: Migration guide, Checklist item 5.
public struct KeychainItemSource: LegacySource {
    /// The name of the keychain in reports and in the journal.
    public let name: String
    private let keychain: any Keychain
    private let addresses: [String: ItemAddress]

    /// Creates a source from items at addresses; the key of an item is its address's identifier.
    public init(
        _ addresses: [ItemAddress],
        in keychain: any Keychain,
        name: String = "keychain"
    ) {
        self.name = name
        self.keychain = keychain
        self.addresses = Dictionary(addresses.map { ($0.identifier, $0) }) { first, _ in first }
    }

    /// The trust in a missing item, always `trusted`: the keychain distinguishes a locked item from
    /// a missing one.
    public let trust = SourceTrust.trusted

    /// Returns an item's value, or nil only if there is no such item.
    public func read(_ key: String) throws(SourceFailure) -> LegacyValue? {
        let item: KeychainItem?
        do throws(KeychainFailure) {
            item = try keychain.read(try address(key))
        } catch {
            throw SourceFailure(error.isLocked ? .locked : .unreadable, "\(name): \(error)")
        }
        guard let item else { return nil }
        guard let value = item.value, !item.hasUnknownConstraints else {
            throw SourceFailure(.unsupportedValue, key)
        }
        return LegacyValue(value, carried: item)
    }

    /// Deletes an item; a missing one is no error.
    public func delete(_ key: String) throws(SourceFailure) {
        do throws(KeychainFailure) {
            try keychain.delete(try address(key))
        } catch {
            throw SourceFailure(error.isLocked ? .locked : .undeletable, "\(name): \(error)")
        }
    }

    private func address(_ key: String) throws(KeychainFailure) -> ItemAddress {
        guard let address = addresses[key] else { throw KeychainFailure(.read, status: -50) }
        return address
    }
}
