import KeychainModel

/// The destination of requests: a simulated device, a daemon, or a keychain in this process.
package protocol Endpoint: Sendable {
    /// The profiles for calls without a request, such as creating an access control.
    var profiles: Profiles { get }

    /// Carries out a request for the program that the endpoint represents.
    func send(_ request: Request) throws(KeychainError) -> Reply

    /// Receives a finding from code before the keychain.
    func note(_ finding: Finding)

    /// The destination, described for people.
    var endpointDescription: EndpointDescription { get }
}

extension Endpoint {
    package var endpointDescription: EndpointDescription { EndpointDescription(.embedded) }
}

// A request of a group gets a reply of the same group.
extension Endpoint {
    package func send(_ request: ItemRequest) throws(KeychainError) -> ItemReply {
        guard case .items(let reply) = try send(.items(request)) else { throw .unexpectedReply }
        return reply
    }

    package func send(_ request: ElementKeyRequest) throws(KeychainError) -> ElementKeyReply {
        guard case .elementKey(let reply) = try send(.elementKey(request)) else {
            throw .unexpectedReply
        }
        return reply
    }

    package func send(
        _ request: AuthenticationRequest
    ) throws(KeychainError) -> AuthenticationReply {
        guard case .authentication(let reply) = try send(.authenticate(request)) else {
            throw .unexpectedReply
        }
        return reply
    }

    package func send(_ request: DeviceRequest) throws(KeychainError) -> DeviceReply {
        guard case .device(let reply) = try send(.device(request)) else { throw .unexpectedReply }
        return reply
    }

    package func send(_ request: MaintenanceRequest) throws(KeychainError) -> MaintenanceReply {
        guard case .maintenance(let reply) = try send(.maintenance(request)) else {
            throw .unexpectedReply
        }
        return reply
    }

    package func send(_ request: FileKeyRequest) throws(KeychainError) -> FileKeyReply {
        guard case .fileKeys(let reply) = try send(.fileKeys(request)) else {
            throw .unexpectedReply
        }
        return reply
    }
}

extension KeychainError {
    /// The error for a reply of the wrong kind.
    package static let unexpectedReply = KeychainError(
        .internal,
        "the keychain sent an unexpected reply; please report this"
    )
}
