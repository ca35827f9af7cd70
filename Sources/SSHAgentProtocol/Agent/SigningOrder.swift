import Cryptography
import Secrets

/// A signature that a client may have, once the person agrees.
package struct SigningOrder: Sendable {
    /// Where the private half is.
    package enum Place: Sendable {
        case volatile(PrivateKey)
        /// In the keychain, if it has such a key.
        case kept
    }

    /// The key, or the certificate about it.
    package let key: SSHPublicKey
    package let place: Place
    package let scheme: SSHSignatureScheme
    package let data: [UInt8]
    /// The key's comment; empty for a kept key, whose label nobody has looked up.
    package var comment = ""
    /// Whether to ask a person first.
    package var needsConfirmation = false
    /// The fingerprint of the key, for people.
    package let fingerprint: String
    /// The fingerprint of the host key of the session that wants it; nil for an unbound connection.
    package let host: String?
    /// Whether the request came through another machine.
    package let isForwarded: Bool

    init(
        _ key: SSHPublicKey,
        _ place: Place,
        _ scheme: SSHSignatureScheme,
        _ data: [UInt8],
        _ connection: AgentConnection,
        _ fingerprintHash: FingerprintHash = .sha256
    ) {
        self.key = key
        self.place = place
        self.scheme = scheme
        self.data = data
        host = connection.hostKey?.fingerprint(fingerprintHash)
        fingerprint = key.fingerprint(fingerprintHash)
        isForwarded = connection.isForwarded
    }

    /// The reply for what the private half made of the data.
    package func reply(_ signature: [UInt8]) -> AgentReply {
        guard let signature = try? SSHSignature(scheme, signature: signature) else {
            return .failure
        }
        return .signature(signature)
    }

    /// Signs with a volatile key.
    package func sign(with key: PrivateKey) -> AgentReply {
        guard let signature = try? key.sign(data, with: scheme.algorithm) else { return .failure }
        return reply(signature)
    }

    /// The question for a key that needs a confirmation, line by line.
    ///
    /// It has no word of the comment, which whoever added the key chose.
    package var question: [String] {
        var lines = ["Allow SSH to use the key \(fingerprint)?"]
        if let host { lines.append("Host key: \(host)") }
        if isForwarded { lines.append("The request comes through a forwarded connection.") }
        return lines
    }
}
