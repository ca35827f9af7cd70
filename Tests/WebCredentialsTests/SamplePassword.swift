import KeychainModel
import WebCredentials

/// An internet password as a listing gives it.
struct SamplePassword: Sendable {
    var account = "alice"
    var protocolName: String? = "htps"
    var port: Int64 = 0
    var path = ""
    /// Seconds since 2001.
    var modified = 0.0
    var comment = ""

    var item: ItemDictionary {
        var item = ItemDictionary()
        item.persistentReference = Array(account.utf8)
        item.attributes[.server] = .string("example.org")
        item.attributes[.account] = .string(account)
        item.attributes[.protocolName] = protocolName.map(AttributeValue.string)
        item.attributes[.port] = .number(port)
        item.attributes[.path] = .string(path)
        item.attributes[.modificationDate] = .date(modified)
        item.attributes[.comment] = .string(comment)
        return item
    }
}

extension WebRequest {
    static func sample(
        protocolName: String = "htps",
        port: UInt16? = nil,
        path: String? = nil,
        username: String? = nil
    ) -> WebRequest {
        WebRequest(
            protocolName: protocolName,
            host: "example.org",
            port: port,
            path: path.map { ItemName($0) },
            username: username.map { ItemName($0) }
        )
    }
}
