import KeychainMessages

/// The accounts that a daemon serves.
package enum DaemonKind: Sendable, Hashable {
    /// Every account of the machine, each with a keychain of its own.
    case system
    /// One account: the one that it runs as.
    case user
}
