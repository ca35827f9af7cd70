/// The reason why bytes violate the SSH protocol.
package enum SSHFormatError: Error, Sendable, Equatable {
    /// The bytes are too short or too long, or break a rule of their type.
    case malformed
    /// The bytes name a kind of key, constraint or file that is not supported here.
    case unsupported(String)
    /// The bytes exceed a limit of this agent.
    case tooMuch(String)
}
