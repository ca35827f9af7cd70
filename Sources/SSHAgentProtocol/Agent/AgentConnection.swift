// Invariants   (1) A binding that is not for forwarding is the last one.
//              (2) Every binding's signature was verified.

/// The SSH sessions that use one connection to the agent, in the order of the hops.
package struct AgentConnection: Sendable {
    static let bindingLimit = 16
    static let sessionIDByteCountLimit = 128

    /// One session.
    struct Binding: Sendable {
        let hostKey: SSHPublicKey
        let sessionID: [UInt8]
        let isForwarding: Bool
    }

    private(set) var bindings: [Binding] = []
    /// Whether a binding failed.
    ///
    /// Then the connection may belong to any session.
    private(set) var hasFailedBinding = false

    package init() {}

    /// The host key of the session that uses the connection; nil if there is none.
    package var hostKey: SSHPublicKey? { bindings.last?.hostKey }

    /// Whether requests come from another machine.
    package var isForwarded: Bool { bindings.contains(where: \.isForwarding) }

    /// Verifies and records a binding.
    ///
    /// - Returns: Whether the binding is recorded now, or was recorded earlier.
    mutating func bind(_ binding: SessionBinding) -> Bool {
        guard let contents = binding.contents, isAcceptable(contents) else {
            hasFailedBinding = true
            return false
        }
        let known = bindings.first { $0.sessionID == contents.sessionID }
        guard known == nil else { return true }
        bindings.append(
            Binding(
                hostKey: contents.hostKey,
                sessionID: contents.sessionID,
                isForwarding: contents.isForwarding
            )
        )
        return true
    }

    /// Records a binding that was refused without verification.
    mutating func refuseBinding() { hasFailedBinding = true }

    private func isAcceptable(_ contents: SessionBinding.Contents) -> Bool {
        guard contents.sessionID.count <= Self.sessionIDByteCountLimit,
            bindings.allSatisfy(\.isForwarding),
            bindings.allSatisfy({
                $0.sessionID != contents.sessionID || $0.hostKey == contents.hostKey
            }),
            bindings.count < Self.bindingLimit,
            let isValid = try? contents.signature.isValid(
                for: contents.sessionID,
                by: contents.hostKey
            )
        else { return false }
        return isValid
    }
}

// Destination constraints.
extension AgentConnection {
    /// Whether a client of this connection may see a key.
    func permitsListing(_ destinations: [DestinationConstraint], at seconds: UInt64) -> Bool {
        guard !destinations.isEmpty else { return true }
        guard let last = bindings.last else { return !hasFailedBinding }
        guard permitsHops(destinations, as: nil, at: seconds) else { return false }
        guard last.isForwarding else { return true }
        // A key that may be used to reach this host, but not beyond it, is of no use on it.
        return destinations.contains {
            $0.permits(from: last.hostKey, to: nil, as: nil, at: seconds)
        }
    }

    /// Whether a client of this connection may get a key's signature of the data.
    func permitsSigning(
        _ destinations: [DestinationConstraint],
        _ data: [UInt8],
        by key: SSHPublicKey,
        at seconds: UInt64
    ) -> Bool {
        guard !destinations.isEmpty else { return true }
        guard let last = bindings.last, !last.isForwarding,
            let request = try? UserAuthenticationRequest(data), request.key == key.blob,
            request.sessionID == last.sessionID
        else { return false }
        if let hostKey = request.hostKey {
            guard hostKey == last.hostKey.blob else { return false }
        } else {
            guard bindings.count == 1 else { return false }
        }
        return permitsHops(destinations, as: request.user, at: seconds)
    }

    private func permitsHops(
        _ destinations: [DestinationConstraint],
        as user: String?,
        at seconds: UInt64
    ) -> Bool {
        var origin: SSHPublicKey?
        for (index, binding) in bindings.enumerated() {
            let isLast = index == bindings.count - 1
            guard isLast || binding.isForwarding else { return false }
            let isPermitted = destinations.contains {
                $0.permits(
                    from: origin,
                    to: binding.hostKey,
                    as: isLast ? user : nil,
                    at: seconds
                )
            }
            guard isPermitted else { return false }
            origin = binding.hostKey
        }
        return true
    }
}
