import Cryptography
import Secrets

/// An order to sign, which may require the user's agreement.
package struct SigningOrder: Sendable {
    /// The place of the private half.
    package enum Place: Sendable {
        case volatile(PrivateKey)
        /// The keychain, if it has the key.
        case kept
    }

    /// The key, or its certificate.
    package let key: SSHPublicKey
    package let place: Place
    package let scheme: SSHSignatureScheme
    package let data: [UInt8]
    /// The key's comment; empty for a kept key, whose label is not known here.
    package var comment = ""
    /// Whether to prompt the user first.
    package var needsConfirmation = false
    /// The fingerprint of the key, for prompts.
    package let fingerprint: String
    /// The fingerprint of the requesting session's host key; nil for an unbound connection.
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

    /// Returns the reply with a signature from the private half.
    package func reply(_ signature: [UInt8]) -> AgentReply {
        guard let signature = try? SSHSignature(scheme, signature: signature) else {
            return .failure
        }
        return .signature(signature)
    }

    /// Returns the reply with a volatile key's signature.
    package func sign(with key: PrivateKey) -> AgentReply {
        guard let signature = try? key.sign(data, with: scheme.algorithm) else { return .failure }
        return reply(signature)
    }

    /// The lines of the prompt for a key that requires a confirmation.
    ///
    /// They do not contain the comment, which any client may have chosen.
    package var question: [String] {
        var lines = ["Allow SSH to use the key \(fingerprint)?"]
        if let host { lines.append("Host key: \(host)") }
        if isForwarded { lines.append("The request comes through a forwarded connection.") }
        return lines
    }
}
