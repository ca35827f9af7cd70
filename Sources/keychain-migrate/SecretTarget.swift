import Foundation
import KeychainCommand
import KeychainMigration
import PlaintextFormats

/// The item that a secret becomes.
struct SecretTarget {
    /// What tells it from other items.
    let address: ItemAddress
    private let label: String
    private let remark: String?
    /// The content type, where it says more than that there is text.
    private let description: String?
    private let creator: Int64?
    private let accessibility: ItemAccessibility

    /// The item of a place.
    ///
    /// What the file cannot know, such as the authentication type, is left open: an item that has
    /// one is the same. That there is no port or path is known, and so part of the name.
    ///
    /// - Parameters:
    ///   - place: What the secret is for.
    ///   - service: The service of what is for no server.
    ///   - title: What a person calls it; nil for unknown.
    ///   - remark: A person's remark on it.
    ///   - creator: Four letters of the tool that stored it, as a number; nil for unknown.
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

    /// A generic password of these names.
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

    /// Whether an item that is there already has the remark, or can take it: it keeps its own.
    func canTakeAlong(in keychain: any Keychain) -> Bool {
        guard let remark, (try? keychain.exists(address)) ?? false else { return true }
        guard let items = try? keychain.list(ItemScope(kinds: [address.kind])) else { return false }
        let item = items.first { item in
            address.attributes.allSatisfy { item.attributes[$0.key] == $0.value }
        }
        guard case .text(let comment)? = item?.attributes[.comment] else { return false }
        return comment == remark
    }

    /// What to store: with label and remark if it is new; one that is there keeps its own.
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

    /// In words for people.
    var words: String { Self.words(of: address) }

    /// An item in words for people.
    static func words(of address: ItemAddress) -> String {
        guard let service = address.text(.service) else { return "internet password" }
        return "generic password of \(ProjectService.shortName(of: service) ?? service)"
    }
}

extension PlaintextPlace {
    /// A name for people and for the journal, such as `https://alice@example.org:8443/path`.
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

    /// The name with the service that the place itself has, so that it is one place's alone.
    var key: String {
        guard case .service(let service?, let account) = self else { return name }
        return service + "/" + account
    }
}
