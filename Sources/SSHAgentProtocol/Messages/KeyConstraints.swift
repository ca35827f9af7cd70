/// What an added key may be used for.
///
/// - Source: draft-miller-ssh-agent §3.2.7; OpenSSH's PROTOCOL.agent §2.
package struct KeyConstraints: Sendable, Equatable {
    /// After how many seconds it is wiped; nil for never.
    package var lifetimeSeconds: UInt32?
    /// Whether a person is asked for each signature.
    package var needsConfirmation = false
    /// Where it may be used; empty for anywhere.
    package var destinations: [DestinationConstraint] = []

    package static let destinationExtension = "restrict-destination-v00@openssh.com"

    package init() {}

    /// Reads constraints up to the end of a message; each may be there once.
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
