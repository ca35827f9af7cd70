import Foundation
import KeychainMigration
import SecretServiceNames

/// The records of taken secrets, each an item of the keychain with the old store's name.
struct UndoStore: Sendable {
    private static let service = StoredNames.undoService

    let keychain: any Keychain
    /// The home directory.
    ///
    /// Paths below it are stored relative to it, so that they are valid in another home.
    let home: String

    /// Returns the old stores with records, in order.
    func places() throws(KeychainFailure) -> [String] {
        let scope = ItemScope(kinds: [.genericPassword], services: [Self.service])
        return try keychain.list(scope).compactMap { $0.address.text(.account) }
            .map(absolute).sorted()
    }

    /// Returns the record of an old store; nil if there is none.
    func record(of place: String) throws(KeychainFailure) -> UndoRecord? {
        guard let item = try keychain.read(address(of: place)), let value = item.value else {
            return nil
        }
        guard
            let record = try? JSONDecoder().decode(
                UndoRecord.self,
                from: value.copyBytesUnprotected()
            )
        else { throw KeychainFailure(.read, status: Self.decodeStatus) }
        return record
    }

    /// Stores a record durably; deletes an empty one.
    func save(
        _ record: UndoRecord,
        of place: String,
        accessibility: ItemAccessibility
    ) throws(KeychainFailure) {
        let address = address(of: place)
        guard !record.isEmpty else { return try keychain.delete(address) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let bytes = try? encoder.encode(record) else {
            throw KeychainFailure(.add, status: Self.decodeStatus)
        }
        let value = SecretBytes(bytes)
        if try keychain.exists(address) {
            return try keychain.update(address, ItemChange(value: value))
        }
        var item = KeychainItem(at: address, accessibility: accessibility, value: value)
        item.attributes[.label] = .text("what keychainctl migrate took, for --undo")
        try keychain.add(item)
    }

    /// `errSecDecode`.
    private static let decodeStatus: Int32 = -26275

    private func address(of place: String) -> ItemAddress {
        let isBelowHome = place.hasPrefix(home + "/")
        let account = isBelowHome ? "~" + place.dropFirst(home.count) : place
        return .genericPassword(service: Self.service, account: account)
    }

    private func absolute(_ account: String) -> String {
        account.hasPrefix("~/") ? home + account.dropFirst() : account
    }
}
