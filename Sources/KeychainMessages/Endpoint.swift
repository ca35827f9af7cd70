import KeychainModel

/// Where requests go: a simulated device, a daemon, or a keychain in this process.
package protocol Endpoint: Sendable {
    /// The profiles that calls outside a request, such as making an access control, follow.
    var profiles: Profiles { get }

    /// Carries out a request for the program that the endpoint stands for.
    func send(_ request: Request) throws(KeychainError) -> Reply

    /// Takes a finding that was made in front of the keychain.
    func note(_ finding: Finding)

    /// Where it leads, for people.
    var endpointDescription: EndpointDescription { get }
}

extension Endpoint {
    package var endpointDescription: EndpointDescription { EndpointDescription(.embedded) }
}

// A group's request gets a reply of the same group.
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
    /// The keychain's answer is not of the kind that was asked for.
    package static let unexpectedReply = KeychainError(
        .internal,
        "the keychain sent an unexpected reply; please report this"
    )
}
