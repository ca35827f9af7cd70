/// A key that the agent offers.
package struct AgentIdentity: Sendable, Hashable {
    package let key: SSHPublicKey
    package let comment: String
    /// The persistent reference of a keychain item; nil for a key from `ssh-add`.
    package let item: [UInt8]?

    package init(_ key: SSHPublicKey, comment: String, item: [UInt8]? = nil) {
        self.key = key
        self.comment = comment
        self.item = item
    }

    /// The size of the identity in a reply, in bytes.
    var byteCount: Int { 8 + key.blob.count + comment.utf8.count }
}

/// A reply of the agent.
package enum AgentReply: Sendable, Hashable {
    case success
    case failure
    case identities([AgentIdentity])
    case signature(SSHSignature)
    case extensions
    case extensionFailure

    /// The message without its frame.
    package var message: [UInt8] {
        SSHWriter.bytes { writer in
            writer.byte(type.rawValue)
            switch self {
            case .success, .failure, .extensionFailure: break
            case .identities(let identities):
                writer.uint32(UInt32(identities.count))
                for identity in identities {
                    writer.string(identity.key.blob)
                    writer.string(identity.comment)
                }
            case .signature(let signature): writer.string(signature.blob)
            case .extensions:
                writer.string(AgentExtension.query.rawValue)
                for known in AgentExtension.allCases { writer.string(known.rawValue) }
            }
        }
    }

    private var type: AgentMessageType {
        switch self {
        case .success: .success
        case .failure: .failure
        case .identities: .identitiesAnswer
        case .signature: .signResponse
        case .extensions: .extensionResponse
        case .extensionFailure: .extensionFailure
        }
    }
}
