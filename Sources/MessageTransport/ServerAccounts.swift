import Glibc

/// The accounts whose daemon a program accepts.
package enum ServerAccounts: Sendable, Hashable {
    /// The account of the system daemon.
    package static let daemonAccount = "keychain"

    /// Any account.
    case any
    /// Root, and the account of the system daemon.
    case machine

    /// Whether a daemon of an account is accepted.
    ///
    /// - Parameters:
    ///   - userID: The account of the listener, from the kernel; root for a socket that systemd
    ///     made.
    ///   - named: Returns the number of an account by name; nil if there is none.
    /// - Returns: Whether the account is one of these.
    package func contains(
        _ userID: UInt32,
        named: (String) -> UInt32? = Self.number
    ) -> Bool {
        switch self {
        case .any: true
        case .machine: userID == 0 || userID == named(Self.daemonAccount)
        }
    }

    /// Returns the number of an account; nil if there is none.
    ///
    /// - Source: getpwnam_r(3).
    package static func number(of account: String) -> UInt32? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var texts = [CChar](repeating: 0, count: 16 << 10)
        guard getpwnam_r(account, &entry, &texts, texts.count, &found) == 0, found != nil else {
            return nil
        }
        return entry.pw_uid
    }
}
