import Secrets

// Sessions: OpenSession, Close, and the secrets that are encoded for one.
extension SecretServiceMachine {
    mutating func openSession(_ call: CheckedCall) throws(SecretServiceError) -> [BusValue] {
        guard case .text(let algorithm) = call.arguments[0],
            case .variant(let input) = call.arguments[1]
        else { throw .wrongArguments }
        guard sessions.count < limits.sessions,
            sessionCounts[call.sender, default: 0] < limits.sessionsPerClient
        else { throw SecretServiceError(.limitsExceeded, "too many sessions") }
        let (session, output) = try SecretSession.open(algorithm, input, random: random)
        let number = nextNumber()
        sessions[number] = HeldSession(client: call.sender, session: session)
        sessionCounts[call.sender, default: 0] += 1
        return [.variant(output), .path(ObjectPath.session(number).text)]
    }

    mutating func closeSession(_ call: CheckedCall) throws(SecretServiceError) -> [BusValue] {
        guard case .session(let number) = call.object, sessions[number] != nil else {
            throw .noSession
        }
        sessions[number] = nil
        let left = sessionCounts[call.sender, default: 1] - 1
        sessionCounts[call.sender] = left > 0 ? left : nil
        return []
    }

    /// Returns a client's session at a path.
    func session(
        at path: String,
        of client: String
    ) throws(SecretServiceError) -> SecretSession {
        guard case .session(let number)? = ObjectPath(path, limit: limits.pathByteCount),
            let held = sessions[number], held.client == client
        else { throw .noSession }
        return held.session
    }

    /// Returns the secret that a client sent.
    func decode(
        _ value: BusValue,
        of client: String
    ) throws(SecretServiceError) -> StoredSecret {
        guard case .secret(let encoded) = value else { throw .wrongArguments }
        let session = try session(at: encoded.session, of: client)
        // Padding is not part of the secret, so the limit is checked again after decoding.
        let paddingByteCount = session.paddingByteCountLimit
        try limits.check(secretByteCount: encoded.value.secret.byteCount - paddingByteCount)
        try limits.check(contentType: encoded.contentType)
        let secret = try session.decode(encoded)
        try limits.check(secretByteCount: secret.value.secret.byteCount)
        return secret
    }
}

extension SecretServiceError {
    static let wrongArguments = SecretServiceError(.invalidArguments, "arguments of another type")
}
