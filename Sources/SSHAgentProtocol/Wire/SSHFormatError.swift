/// Why bytes are not what the SSH protocol prescribes.
package enum SSHFormatError: Error, Sendable, Equatable {
    /// They end too early, go on too long, or break a rule of their type.
    case malformed
    /// They name a kind of key, constraint or file that is not supported here.
    case unsupported(String)
    /// A limit of the agent's own.
    case tooMuch(String)
}
