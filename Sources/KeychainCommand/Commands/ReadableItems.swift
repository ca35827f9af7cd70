import KeychainMessages
import KeychainModel

// Items whose values a command reads. A prompt may appear for each item, and an item that does not
// open does not hide the others.
extension CommandContext {
    /// Returns every item of a class that opens: its attributes, and the values that `keys` name.
    func readableItems(
        of itemClass: ItemClass,
        where filter: AttributeDictionary,
        returning keys: [QueryKey],
        _ reach: inout OutOfReach
    ) throws(CommandFailure) -> [ItemDictionary] {
        if itemClass == .identity {
            return try identities(where: filter, returning: keys, &reach)
        }
        let listing = try listing(of: itemClass, where: filter, returning: keys)
        var items = listing.items
        for item in listing.outOfReach {
            guard item.obstacle == .accessControl else {
                reach.add(item)
                continue
            }
            let named = AttributeDictionary.named(itemClass, item.persistentReference)
            do throws(CommandFailure) {
                items.append(try firstItem(named, returning: keys))
            } catch .keychain(let error) where error.isOutOfReach {
                reach.add(item, error)
            }
        }
        return items
    }

    /// Returns every identity that opens: all with one query, or else one query for each
    /// certificate.
    func identities(
        where filter: AttributeDictionary,
        returning keys: [QueryKey],
        _ reach: inout OutOfReach
    ) throws(CommandFailure) -> [ItemDictionary] {
        do throws(CommandFailure) {
            return try items(of: .identity, where: filter, returning: keys)
        } catch .keychain(let error) where error.isOutOfReach {
            return try identitiesOneByOne(where: filter, returning: keys, &reach)
        }
    }

    private func identitiesOneByOne(
        where filter: AttributeDictionary,
        returning keys: [QueryKey],
        _ reach: inout OutOfReach
    ) throws(CommandFailure) -> [ItemDictionary] {
        var found: [ItemDictionary] = []
        var closed = OutOfReach()
        for certificate in try certificates(&closed) {
            var wanted = filter
            for attribute in [Attribute.issuer, .serialNumber, .publicKeyHash] {
                wanted[attribute] = certificate.item.attributes[attribute]
            }
            do throws(CommandFailure) {
                let items = try items(of: .identity, where: wanted, returning: keys)
                found += items.filter { item in
                    FoundCertificate.identity(of: item.attributes) == certificate.identity
                }
            } catch .keychain(let error) where error.isOutOfReach {
                reach.add(certificate.identityOutOfReach(error))
            }
        }
        return found
    }
}

extension FoundCertificate {
    /// Returns the certificate's identity as out of reach, because its private key did not open.
    fileprivate func identityOutOfReach(_ error: KeychainError) -> OutOfReachItem {
        OutOfReachItem(
            .certificate,
            error.failure == nil ? .lockState : .accessControl,
            attributes: item.attributes,
            persistentReference: [],
            error: KeychainError(error.status, "its private key: \(error.reason)")
        )
    }
}
