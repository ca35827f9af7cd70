import Foundation

/// An item of a keychain as an old store: for renaming, for another class, group or keychain.
///
/// Only -25300 means that there is no item. While the item is out of reach (-25308) nothing is
/// concluded, and nothing is ever deleted because it could not be read.
/// - Source: Migration guide, Checklist item 5.
public struct KeychainItemSource: LegacySource {
    /// What reports and the journal call the keychain.
    public let name: String
    private let keychain: any Keychain
    private let addresses: [String: ItemAddress]

    /// Items at addresses; the key of each is its address's identifier.
    public init(
        _ addresses: [ItemAddress],
        in keychain: any Keychain,
        name: String = "keychain"
    ) {
        self.name = name
        self.keychain = keychain
        self.addresses = Dictionary(addresses.map { ($0.identifier, $0) }) { first, _ in first }
    }

    /// Always: the keychain itself tells a locked item from an absent one.
    public let trust = SourceTrust.trusted

    /// A value; nil only if there is none.
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

    /// Deletes a value; that there is none is no error.
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
