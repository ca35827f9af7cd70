import Secrets

/// A request of a client to the agent.
///
/// - Source: draft-miller-ssh-agent §3; OpenSSH's PROTOCOL.agent.
package enum AgentRequest: Sendable {
    case identities
    case sign(SignRequest)
    case add(AddedKey)
    case remove(blob: [UInt8])
    case removeAll
    /// Requests for keys of a smart card, which this agent does not support.
    case smartcard
    case lock(SharedSecret)
    case unlock(SharedSecret)
    case query
    case bind(SessionBinding)
    case unknownExtension(String)
    case unknown(UInt8)

    /// A request for a signature.
    package struct SignRequest: Sendable {
        /// The blob of the key or certificate.
        package let blob: [UInt8]
        package let data: [UInt8]
        package let flags: UInt32

        package init(blob: [UInt8], data: [UInt8], flags: UInt32) {
            self.blob = blob
            self.data = data
            self.flags = flags
        }
    }

    /// A key that a client adds.
    package struct AddedKey: Sendable {
        static let commentByteCountLimit = 1024

        package let key: SSHPrivateKey
        package let comment: String
        package let constraints: KeyConstraints

        package init(_ key: SSHPrivateKey, comment: String, _ constraints: KeyConstraints = .init())
        {
            self.key = key
            self.comment = comment
            self.constraints = constraints
        }
    }

    /// Parses a message: its type and its fields, without the frame.
    ///
    /// - Throws: `SSHFormatError` if the fields do not fit the type; the reply is then a failure.
    package init(_ message: UnsafeRawBufferPointer) throws(SSHFormatError) {
        var reader = SSHReader(message)
        let number = try reader.byte()
        guard let type = AgentMessageType(rawValue: number) else {
            self = .unknown(number)
            return
        }
        self = try Self.contents(of: type, &reader)
    }

    private static func contents(
        of type: AgentMessageType,
        _ reader: inout SSHReader
    ) throws(SSHFormatError) -> AgentRequest {
        let request: AgentRequest
        switch type {
        case .requestIdentities: request = .identities
        case .removeAllIdentities: request = .removeAll
        case .signRequest:
            request = .sign(
                SignRequest(
                    blob: try reader.bytes(),
                    data: try reader.bytes(),
                    flags: try reader.uint32()
                )
            )
        case .addIdentity: request = .add(try added(&reader))
        case .addConstrainedIdentity:
            let plain = try added(&reader)
            let constraints = try KeyConstraints(&reader)
            request = .add(AddedKey(plain.key, comment: plain.comment, constraints))
        case .removeIdentity: request = .remove(blob: try reader.bytes())
        case .lock: request = .lock(SharedSecret(try reader.secret()))
        case .unlock: request = .unlock(SharedSecret(try reader.secret()))
        case .extensionRequest: return try extended(&reader)
        case .addSmartcardKey, .removeSmartcardKey, .addConstrainedSmartcardKey:
            return .smartcard
        case .failure, .success, .identitiesAnswer, .signResponse, .extensionFailure,
            .extensionResponse:
            return .unknown(type.rawValue)
        }
        try reader.finish()
        return request
    }

    private static func added(_ reader: inout SSHReader) throws(SSHFormatError) -> AddedKey {
        let key = try SSHPrivateKey(&reader)
        let comment = try reader.text(atMost: AddedKey.commentByteCountLimit)
        return AddedKey(key, comment: comment)
    }

    private static func extended(
        _ reader: inout SSHReader
    ) throws(SSHFormatError) -> AgentRequest {
        let name = try reader.text(atMost: 256)
        switch AgentExtension(rawValue: name) {
        case nil: return .unknownExtension(name)
        case .query?:
            try reader.finish()
            return .query
        // A malformed binding fails in this extension, not as a malformed message.
        case .sessionBind?: return .bind(SessionBinding(&reader))
        }
    }
}

/// A client's statement about the SSH session that uses its connection.
package struct SessionBinding: Sendable {
    package struct Contents: Sendable {
        package let hostKey: SSHPublicKey
        package let sessionID: [UInt8]
        package let signature: SSHSignature
        package let isForwarding: Bool
    }

    /// The fields; nil if they are malformed, or if the key's type is unknown.
    package let contents: Contents?

    init(_ reader: inout SSHReader) { contents = try? Self.contents(&reader) }

    private static func contents(_ reader: inout SSHReader) throws(SSHFormatError) -> Contents {
        let contents = Contents(
            hostKey: try SSHPublicKey(blob: try reader.bytes()),
            sessionID: try reader.bytes(),
            signature: try SSHSignature(try reader.bytes()),
            isForwarding: try reader.boolean()
        )
        try reader.finish()
        return contents
    }
}
