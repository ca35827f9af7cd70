import PlaintextFormats
import WebCredentials

extension WebRequest {
    /// Makes a request; nil unless the description has a protocol, and a host or a path.
    init?(_ description: CredentialDescription) {
        guard let scheme = description.scheme, !scheme.isEmpty,
            description.host != nil || description.path != nil
        else { return nil }
        self.init(
            protocolName: ProtocolName.name(ofScheme: scheme),
            host: description.host ?? "",
            port: description.port,
            path: description.path,
            username: description.username
        )
    }
}
