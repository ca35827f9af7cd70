import AutoFill
import PlaintextFormats

/// A request for credentials of a server.
///
/// A part that is nil matches any value, as in git's own store.
/// - Source: git-credential(1); gitcredentials(7), CREDENTIAL CONTEXTS.
package struct WebRequest: Sendable {
    /// The protocol's four letters.
    package let protocolName: String
    /// The host; empty for a credential with only a path, such as a certificate's file.
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

    /// Returns the same request with a credential's path.
    package func at(_ item: WebCredential) -> WebRequest {
        WebRequest(
            protocolName: protocolName,
            host: host,
            port: port,
            path: item.path.isEmpty ? nil : item.path,
            username: username
        )
    }

    /// The server names to search: as written, and in lower case, because hosts ignore case.
    var servers: [String] { host == host.lowercased() ? [host] : [host, host.lowercased()] }

    /// Whether an item matches the request.
    ///
    /// The rule for protocol and port is the same as in AutoFill.
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

    /// The place as a URL, for users and programs.
    package var url: String {
        let scheme = ProtocolName.scheme(ofLetters: protocolName)
        let name = host.contains(":") ? "[\(host)]" : host
        return "\(scheme)://\(name)" + (port.map { ":\($0)" } ?? "") + itemPath.text
    }
}
