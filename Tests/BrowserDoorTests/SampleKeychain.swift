import KeychainMessages
import KeychainModel
import Secrets

@testable import BrowserDoor

/// An internet password in a listing.
struct SamplePassword: Sendable {
    var server = "shop.example"
    var account = "ann"
    var protocolName: String? = "htps"
    var port: Int64 = 0
    var authenticationType: String?
    /// Seconds since 2001.
    var modified = 0.0

    var item: ItemDictionary {
        var item = ItemDictionary()
        item.persistentReference = Array("\(account)@\(server)".utf8)
        item.attributes[.server] = .string(server)
        item.attributes[.account] = .string(account)
        item.attributes[.protocolName] = protocolName.map(AttributeValue.string)
        item.attributes[.port] = .number(port)
        item.attributes[.authenticationType] = authenticationType.map(AttributeValue.string)
        item.attributes[.modificationDate] = .date(modified)
        return item
    }
}

/// Answers from a list, and keeps what it was asked for.
final class SampleKeychain {
    private var listing = Listing()
    private let secret: [UInt8]
    private let error: KeychainError?
    /// The queries for a secret.
    private(set) var queries: [AttributeDictionary] = []

    /// - Parameters:
    ///   - passwords: The items.
    ///   - closed: Why further items are out of reach; nil for none.
    ///   - secret: The secret of each item.
    ///   - error: What a request for a secret ends with; nil for the secret.
    init(
        _ passwords: [SamplePassword],
        closed: KeychainError? = nil,
        secret: some Collection<UInt8> = Array("open sesame".utf8),
        error: KeychainError? = nil
    ) {
        listing.items = passwords.map(\.item)
        listing.outOfReach = [closed].compactMap(\.self).map {
            OutOfReachItem(
                .internetPassword,
                .lockState,
                attributes: [:],
                persistentReference: [1],
                error: $0
            )
        }
        self.secret = Array(secret)
        self.error = error
    }

    var door: BrowserDoor {
        BrowserDoor { request throws(KeychainError) in
            switch request {
            case .list(let query):
                let wanted = AttributeValue.string(ItemClass.internetPassword.rawValue)
                let isOurs = query[QueryKey.itemClass.rawValue] == wanted
                return .listing(isOurs ? self.listing : Listing())
            case .copyMatching(let query):
                self.queries.append(query)
                if let error = self.error { throw error }
                var item = ItemDictionary()
                item.data = SharedSecret(Secret(copying: self.secret))
                return .result(.dictionary(item))
            default: throw KeychainError(.unimplemented, "the door only reads")
            }
        }
    }
}

extension BrowserAnswer {
    /// Everything in one line, with the secret.
    var line: String {
        switch self {
        case .credential(let account, let password, let count):
            let bytes = password.secret.copyBytesUnprotected()
            return "\(account) \(String(decoding: bytes, as: UTF8.self)) \(count)"
        case .offer(let offer): return "offer \(offer.server) \(offer.account)"
        case .none(let code, _): return "none \(code)"
        }
    }
}
