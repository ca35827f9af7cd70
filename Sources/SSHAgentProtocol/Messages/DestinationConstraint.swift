/// A hop that a key may be used for: from a host or from this machine, to a host.
///
/// - Source: OpenSSH's PROTOCOL.agent §2; ssh-add(1), `-h`.
package struct DestinationConstraint: Sendable, Equatable {
    static let countLimit = 1024
    static let hostKeyLimit = 256

    /// A host key, or a key that certifies host keys.
    package struct HostKey: Sendable, Equatable {
        package let blob: [UInt8]
        package let isAuthority: Bool
    }

    /// One end of a hop.
    package struct Hop: Sendable, Equatable {
        package let user: String
        package let host: String
        package let keys: [HostKey]

        init(_ outer: inout SSHReader) throws(SSHFormatError) {
            var reader = SSHReader(try outer.string())
            user = try reader.text()
            host = try reader.text()
            guard try reader.string().isEmpty else { throw .unsupported("a hop with options") }
            var keys: [HostKey] = []
            while !reader.isAtEnd {
                guard keys.count < hostKeyLimit else { throw .tooMuch("host keys of a hop") }
                let blob = try SSHPublicKey(blob: try reader.bytes()).blob
                keys.append(HostKey(blob: blob, isAuthority: try reader.boolean()))
            }
            self.keys = keys
        }

        /// Whether a host key belongs to this end, or is certified for its host.
        func matches(_ key: SSHPublicKey, at seconds: UInt64) -> Bool {
            keys.contains { hostKey in
                guard hostKey.isAuthority else { return hostKey.blob == key.blob }
                guard let certificate = key.certificate else { return false }
                return certificate.issuer == hostKey.blob
                    && certificate.isValid(forHost: host, at: seconds)
            }
        }
    }

    package let from: Hop
    package let to: Hop

    init(_ outer: inout SSHReader) throws(SSHFormatError) {
        var reader = SSHReader(try outer.string())
        from = try Hop(&reader)
        to = try Hop(&reader)
        guard try reader.string().isEmpty else { throw .unsupported("a destination with options") }
        try reader.finish()
        guard from.user.isEmpty, from.host.isEmpty == from.keys.isEmpty, !to.host.isEmpty,
            !to.keys.isEmpty
        else { throw .malformed }
    }

    /// Whether the constraint permits a hop.
    ///
    /// - Parameters:
    ///   - origin: The host at which the hop starts; nil for this machine.
    ///   - target: The host at which it ends; nil for any.
    ///   - user: The user who logs in there; nil before a login.
    ///   - seconds: The time, in seconds since 1970.
    /// - Returns: Whether both ends and the user match.
    func permits(
        from origin: SSHPublicKey?,
        to target: SSHPublicKey?,
        as user: String?,
        at seconds: UInt64
    ) -> Bool {
        if let origin {
            guard from.matches(origin, at: seconds) else { return false }
        } else {
            guard from.keys.isEmpty else { return false }
        }
        if let target, !to.matches(target, at: seconds) { return false }
        guard let user, !to.user.isEmpty else { return true }
        return NamePattern.matches(user, to.user)
    }
}

/// Patterns for names: `*` matches any characters, `?` matches one.
///
/// - Source: ssh_config(5), "PATTERNS".
enum NamePattern {
    /// Whether a name matches a pattern.
    ///
    /// The time is at most proportional to the product of both lengths.
    static func matches(_ name: String, _ pattern: String) -> Bool {
        let (name, pattern) = (Array(name.utf8), Array(pattern.utf8))
        var position = 0
        var next = 0
        var retry: (pattern: Int, name: Int)?
        while position < name.count {
            if next < pattern.count, pattern[next] == UInt8(ascii: "*") {
                retry = (next, position)
                next += 1
            } else if next < pattern.count,
                pattern[next] == UInt8(ascii: "?") || pattern[next] == name[position]
            {
                next += 1
                position += 1
            } else if let last = retry {
                retry = (last.pattern, last.name + 1)
                next = last.pattern + 1
                position = last.name + 1
            } else {
                return false
            }
        }
        return pattern[next...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
