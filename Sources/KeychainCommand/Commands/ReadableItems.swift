import KeychainMessages
import KeychainModel

// Items whose values a command wants: a person may be asked, item by item, and each one that stays
// closed hides only itself.
extension CommandContext {
    /// Every item of a class that opens, with what the keys ask for beside the attributes.
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

    /// Every identity that opens: all at once, else certificate by certificate.
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
    /// The identity of the certificate, whose private key stayed closed.
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
