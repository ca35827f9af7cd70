import Cryptography
import KeychainMessages
import KeychainModel
import SecretServiceNames
import SecretServiceProtocol
import Secrets

extension KeychainItemStore {
    /// The number of further accounts that are tried if an item's name exists.
    private static let attemptLimit = 5

    package func add(
        _ item: ItemContent,
        _ secret: StoredSecret,
        to collection: String
    ) throws(SecretServiceError) -> ItemName {
        var entry: AttributeDictionary = [
            QueryKey.itemClass.rawValue: .string(ItemClass.genericPassword.rawValue),
            QueryKey.valueData.rawValue: .secret(secret.value),
            QueryKey.returnPersistentReference.rawValue: .bool(true),
        ]
        entry[.accessGroup] = .string(group)
        entry[.label] = .string(item.label)
        let names = StoredNames(attributes: item.attributes, label: item.label)
        entry[.service] = .string(names.service)
        entry[.lookupPairs] = .data(try pairs(item.attributes, in: collection))
        let description = Self.description(secret.contentType)
        if !description.isEmpty { entry[.description] = .string(description) }
        for attempt in 1...Self.attemptLimit {
            let end = attempt == 1 ? "" : " #\(try suffix())"
            entry[.account] = .string(names.account + end)
            if let reference = try add(entry) { return name(reference, in: collection) }
        }
        throw SecretServiceError(.failed, "an item of this name exists")
    }

    /// Adds an entry, and returns its reference; nil if an item with the same names exists.
    private func add(_ entry: AttributeDictionary) throws(SecretServiceError) -> [UInt8]? {
        do throws(KeychainError) {
            switch try endpoint.send(ItemRequest.add(entry)) {
            case .result(.persistentReference(let reference)): return reference
            case .result(.dictionary(let item)):
                if let reference = item.persistentReference { return reference }
                throw .unexpectedReply
            default: throw .unexpectedReply
            }
        } catch {
            guard error.status != .duplicateItem else { return nil }
            throw SecretServiceError(error)
        }
    }

    private func suffix() throws(SecretServiceError) -> String {
        do throws(CryptographyError) { return Hexadecimal.text(try random.bytes(4)) } catch {
            throw SecretServiceError(.failed, "there is no randomness")
        }
    }

    /// Returns the description of a content type; empty for the usual type.
    static func description(_ contentType: String) -> String {
        contentType == ContentType.plainText ? "" : contentType
    }

    /// Returns the bytes of an item's lookup pairs.
    func pairs(
        _ attributes: [String: String],
        in collection: String
    ) throws(SecretServiceError) -> [UInt8] {
        try translating { () throws(KeychainError) in
            try StoredNames.pairs(attributes, in: collection)
        }
    }
}
