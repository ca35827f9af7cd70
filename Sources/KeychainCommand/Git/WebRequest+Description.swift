import PlaintextFormats
import WebCredentials

extension WebRequest {
    /// nil unless it says at least a known protocol, and a host or a path.
    init?(_ description: CredentialDescription) {
        guard let scheme = description.scheme,
            let letters = ProtocolName.letters(ofScheme: scheme),
            description.host != nil || description.path != nil
        else { return nil }
        self.init(
            protocolName: letters,
            host: description.host ?? "",
            port: description.port,
            path: description.path,
            username: description.username
        )
    }
}
