/// The constraints of an added key.
///
/// - Source: draft-miller-ssh-agent §3.2.7; OpenSSH's PROTOCOL.agent §2.
package struct KeyConstraints: Sendable, Equatable {
    /// The lifetime in seconds, after which the key is wiped; nil for no limit.
    package var lifetimeSeconds: UInt32?
    /// Whether each signature requires a confirmation by the user.
    package var needsConfirmation = false
    /// The permitted hops; empty for all.
    package var destinations: [DestinationConstraint] = []

    package static let destinationExtension = "restrict-destination-v00@openssh.com"

    package init() {}

    /// Parses constraints up to the end of a message; each may occur once.
    init(_ reader: inout SSHReader) throws(SSHFormatError) {
        while !reader.isAtEnd {
            switch try reader.byte() {
            case 1 where lifetimeSeconds == nil: lifetimeSeconds = try reader.uint32()
            case 2 where !needsConfirmation: needsConfirmation = true
            case 255: try readExtension(&reader)
            case 1, 2: throw .malformed
            case let number: throw .unsupported("constraints of type \(number)")
            }
        }
    }

    private mutating func readExtension(_ reader: inout SSHReader) throws(SSHFormatError) {
        let name = try reader.name()
        guard name == Self.destinationExtension else { throw .unsupported("constraint \(name)") }
        guard destinations.isEmpty else { throw .malformed }
        var list = SSHReader(try reader.string())
        repeat {
            guard destinations.count < DestinationConstraint.countLimit else {
                throw .tooMuch("destinations")
            }
            destinations.append(try DestinationConstraint(&list))
        } while !list.isAtEnd
    }
}
