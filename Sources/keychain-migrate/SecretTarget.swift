import Foundation
import KeychainCommand
import KeychainMigration
import PlaintextFormats

/// The item that a secret becomes.
struct SecretTarget {
    /// The attributes that identify the item.
    let address: ItemAddress
    private let label: String
    private let remark: String?
    /// The content type, if it is more specific than text.
    private let description: String?
    private let creator: Int64?
    private let accessibility: ItemAccessibility

    /// Describes the item for a place.
    ///
    /// Attributes that the file does not mention, such as the authentication type, can have any
    /// value in an existing item. A missing port or path is known to be missing, and so it is part
    /// of the name.
    ///
    /// - Parameters:
    ///   - place: The purpose of the secret.
    ///   - service: The service, for a secret without a server.
    ///   - title: The user's name for the secret; nil if it has none.
    ///   - remark: The user's remark about the secret.
    ///   - creator: The four letters of the tool that stored it, as a number; nil if unknown.
    ///   - isThisDeviceOnly: Whether no backup may carry it to another machine.
    init(
        _ place: PlaintextPlace,
        service: String,
        title: String? = nil,
        remark: String? = nil,
        creator: Int64? = nil,
        isThisDeviceOnly: Bool
    ) {
        accessibility = Self.accessibility(isThisDeviceOnly)
        switch place {
        case .service(let own, let account):
            address = .genericPassword(service: own ?? service, account: account)
            label = title ?? own ?? ProjectService.shortName(of: service) ?? service
        case .server(let server):
            var address = ItemAddress(
                kind: .internetPassword,
                attributes: [
                    .server: .text(server.server), .account: .text(server.account),
                    .protocolName: server.protocolName.map(ItemValue.text) ?? .number(0),
                    .port: .number(Int64(server.port ?? 0)), .path: .text(server.path),
                ]
            )
            address.attributes[.authenticationType] = server.authenticationType.map(ItemValue.text)
            address.attributes[.securityDomain] = server.securityDomain.map(ItemValue.text)
            self.address = address
            label = title ?? server.server
        }
        self.remark = remark
        description = nil
        self.creator = creator
    }

    /// Describes a generic password with these names.
    init(
        service: String,
        account: String,
        title: String,
        description: String?,
        isThisDeviceOnly: Bool
    ) {
        accessibility = Self.accessibility(isThisDeviceOnly)
        address = .genericPassword(service: service, account: account)
        label = title
        remark = nil
        creator = nil
        self.description = description
    }

    private static func accessibility(_ isThisDeviceOnly: Bool) -> ItemAccessibility {
        isThisDeviceOnly ? .afterFirstUnlockThisDeviceOnly : .afterFirstUnlock
    }

    /// Whether the item will have the remark: it is new, or it has the same remark already.
    ///
    /// An existing item keeps its own remark.
    func canTakeAlong(in keychain: any Keychain) -> Bool {
        guard let remark, (try? keychain.exists(address)) ?? false else { return true }
        guard let items = try? keychain.list(ItemScope(kinds: [address.kind])) else { return false }
        let item = items.first { item in
            address.attributes.allSatisfy { item.attributes[$0.key] == $0.value }
        }
        guard case .text(let comment)? = item?.attributes[.comment] else { return false }
        return comment == remark
    }

    /// Returns the item to store.
    ///
    /// A new one gets a label and a remark; an existing one keeps its own.
    func item(in keychain: any Keychain) -> KeychainItem {
        let isKnown = (try? keychain.exists(address)) ?? false
        guard !isKnown else { return KeychainItem(at: address, accessibility: nil) }
        var item = KeychainItem(at: address, accessibility: accessibility)
        item.attributes[.label] = .text(label)
        item.attributes[Self.creatorName] = creator.map(ItemValue.number)
        item.attributes[.comment] = remark.map(ItemValue.text)
        item.attributes[Self.descriptionName] = description.map(ItemValue.text)
        return item
    }

    /// `kSecAttrCreator`.
    private static let creatorName = ItemAttribute(rawValue: "crtr")

    /// `kSecAttrDescription`.
    private static let descriptionName = ItemAttribute(rawValue: "desc")

    /// The item in words.
    var words: String { Self.words(of: address) }

    /// Returns an item in words.
    static func words(of address: ItemAddress) -> String {
        guard let service = address.text(.service) else { return "internet password" }
        return "generic password of \(ProjectService.shortName(of: service) ?? service)"
    }
}

extension PlaintextPlace {
    /// A name for reports and for the journal, such as `https://alice@example.org:8443/path`.
    var name: String {
        switch self {
        case .service(_, let account): return account
        case .server(let place):
            let scheme = place.protocolName.map { letters in
                ProtocolName.scheme(ofLetters: letters) + "://"
            }
            let host = place.server.contains(":") ? "[\(place.server)]" : place.server
            let account = place.account.isEmpty ? "" : place.account + "@"
            let port = place.port.map { ":\($0)" } ?? ""
            return (scheme ?? "") + account + host + port + place.path
        }
    }

    /// The name with the place's own service, which makes it unique.
    var key: String {
        guard case .service(let service?, let account) = self else { return name }
        return service + "/" + account
    }
}
