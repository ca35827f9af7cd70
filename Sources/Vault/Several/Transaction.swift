import Foundation

#if canImport(Darwin)
    import Security
#else
    import KeychainServices
#endif

/// The changes of several items that take effect together.
///
/// ```swift
/// try vault.transaction { changes in
///     changes.save(newKey, in: .signingKey)
///     changes.save(newCertificate, in: .certificate)
///     changes.delete(.oldSession)
/// }
/// ```
public struct Transaction: Sendable {
    var steps: [Step] = []
    /// The reason why the plan cannot be carried out.
    var refusal: VaultError?

    /// Plans to save a value in an item.
    ///
    /// ``Vault/transaction(_:)`` refuses an item with a constraint, because the notes of a
    /// transaction would hold its secret without that constraint.
    public mutating func save(_ value: some Encodable, in item: some SecretItem) {
        do throws(VaultError) {
            plan(item, try Vault().encoded(value, .transaction, item))
        } catch {
            refusal = refusal ?? error
        }
    }

    /// Plans to delete an item; a missing item is no error.
    public mutating func delete(_ item: some SecretItem) { plan(item, nil) }

    private mutating func plan(_ item: some SecretItem, _ bytes: Data?) {
        if item.protection.constraint != nil {
            let advice = "A transaction changes only items without a constraint."
            refusal = refusal ?? VaultError(.invalid, .transaction, item, advice)
        }
        let new = bytes.map {
            StoredItem(
                bytes: $0,
                availability: item.protection.availability,
                label: item.label,
                comment: item.comment
            )
        }
        // The last plan for an item counts. Two names that only look alike belong to two items.
        let identifier = item.address.identifier
        steps.removeAll { $0.name.identifier == identifier }
        steps.append(Step(name: item.address, new: new))
    }
}

/// Shows the names of the items in a log or a dump, without their secrets.
extension Transaction: CustomStringConvertible, CustomReflectable {
    /// The items that the transaction changes, without their secrets.
    public var description: String {
        "transaction: \(steps.map(\.name.description).joined(separator: ", "))"
    }

    /// A mirror of the names.
    public var customMirror: Mirror {
        Mirror(self, children: ["items": steps.map(\.name.description)])
    }
}

/// The content of an item, without its name.
struct StoredItem: Codable, Hashable, Sendable {
    var bytes: Data
    var availability: Protection.Availability
    var label: String?
    var comment: String?

    var attributes: [String: Any] {
        var attributes: [String: Any] = [
            kSecValueData as String: bytes,
            kSecAttrAccessible as String: availability.constant,
        ]
        if let label { attributes[kSecAttrLabel as String] = label }
        if let comment { attributes[kSecAttrComment as String] = comment }
        return attributes
    }
}

/// One change of a transaction, with the old content for an undo.
struct Step: Codable, Hashable, Sendable {
    let name: ItemName
    /// The group that has the item; nil if there is none, or if the item will be added to the group
    /// of the notes.
    var group: String?
    /// The content that the item shall have; nil deletes it.
    let new: StoredItem?
    /// The old content of the item; nil if there was none.
    var old: StoredItem?
}

/// The notes of a transaction, which the keychain stores until all changes are made.
///
/// Once the notes are stored, the transaction will be completed, even after a kill. With
/// `isUndoing`, it will be undone instead.
struct Intent: Codable, Sendable {
    static let service = "Vault.transaction"

    let id: String
    var isUndoing = false
    var steps: [Step]

    /// The protection of the notes, which contain all secrets: that of the strictest item.
    var availability: Protection.Availability {
        let all = steps.flatMap { [$0.new, $0.old] }.compactMap { $0?.availability }
        if all.contains(.whenPasscodeSetThisDeviceOnly) { return .whenPasscodeSetThisDeviceOnly }
        let needsUnlock = all.contains(.whenUnlocked) || all.contains(.whenUnlockedThisDeviceOnly)
        switch (needsUnlock, all.contains(where: \.staysOnDevice)) {
        case (true, true): return .whenUnlockedThisDeviceOnly
        case (true, false): return .whenUnlocked
        case (false, true): return .afterFirstUnlockThisDeviceOnly
        case (false, false): return .afterFirstUnlock
        }
    }

    var item: Password {
        Password(service: Self.service, account: id, protection: Protection(availability))
    }
}
