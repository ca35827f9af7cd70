import AutoFill
import PlaintextFormats

/// Which credentials of a server are looked for.
///
/// Parts that are nil match any value, as in git's own store.
/// - Source: git-credential(1); gitcredentials(7), CREDENTIAL CONTEXTS.
package struct WebRequest: Sendable {
    /// Four letters.
    package let protocolName: String
    /// Empty for what is found by its path alone, such as a certificate's file.
    package let host: String
    /// nil for the protocol's own, which 0 is, too.
    package let port: UInt16?
    /// Without slashes at its ends.
    package let path: ItemName?
    package let username: ItemName?

    package init(
        protocolName: String,
        host: String,
        port: UInt16?,
        path: ItemName?,
        username: ItemName?
    ) {
        self.protocolName = protocolName
        self.host = host
        let isDefault = port == 0 || port == ProtocolName.defaultPort(ofLetters: protocolName)
        self.port = isDefault ? nil : port
        self.path = path
        self.username = username
    }

    /// The same place with the path that a credential has.
    package func at(_ item: WebCredential) -> WebRequest {
        WebRequest(
            protocolName: protocolName,
            host: host,
            port: port,
            path: item.path.isEmpty ? nil : item.path,
            username: username
        )
    }

    /// The server names to look under: as it is written, and in lower case, as hosts are the same.
    var servers: [String] { host == host.lowercased() ? [host] : [host, host.lowercased()] }

    /// Whether an item is one of them.
    ///
    /// Protocol and port follow the rule that AutoFill has, too.
    package func matches(_ item: WebCredential) -> Bool {
        let service = WebService(protocolName: protocolName, port: port)
        let itemPort = item.port(for: protocolName)
        return service.refusal(ofItem: item.protocolName, port: itemPort) == nil
            && (path == nil || path == item.path)
            && (username == nil || username == item.accountName)
    }

    /// The path as an item has it.
    var itemPath: ItemName {
        guard let path, !path.isEmpty else { return "" }
        return ItemName([UInt8(ascii: "/")] + path.bytes)
    }

    /// The place as a URL, for a name that people and programs can read.
    package var url: String {
        let scheme = ProtocolName.scheme(ofLetters: protocolName)
        let name = host.contains(":") ? "[\(host)]" : host
        return "\(scheme)://\(name)" + (port.map { ":\($0)" } ?? "") + itemPath.text
    }
}
