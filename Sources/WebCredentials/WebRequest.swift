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
    /// The port; nil for the protocol's default.
    package let port: UInt16?
    /// The path, without slashes at its ends.
    package let path: String?
    package let username: AccountName?

    package init(
        protocolName: String,
        host: String,
        port: UInt16?,
        path: String?,
        username: AccountName?
    ) {
        self.protocolName = protocolName
        self.host = host
        self.port = port == ProtocolName.defaultPort(ofLetters: protocolName) ? nil : port
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

    /// The path in the form of an item.
    var itemPath: String { path.flatMap { $0.isEmpty ? nil : "/" + $0 } ?? "" }

    /// The place as a URL, for users and programs.
    package var url: String {
        let scheme = ProtocolName.scheme(ofLetters: protocolName)
        let name = host.contains(":") ? "[\(host)]" : host
        return "\(scheme)://\(name)" + (port.map { ":\($0)" } ?? "") + itemPath
    }
}
