import Glibc

/// The accounts whose daemon a program talks to.
package enum ServerAccounts: Sendable, Hashable {
    /// The account of the system daemon.
    package static let daemonAccount = "keychain"

    /// Whoever listens.
    case any
    /// Root, and the account of the system daemon.
    case machine

    /// Whether a daemon of an account may be talked to.
    ///
    /// - Parameters:
    ///   - userID: Who listens, as the kernel says; root for a socket that systemd made.
    ///   - named: The number of an account by its name; nil if there is none.
    /// - Returns: Whether it is one of these accounts.
    package func contains(
        _ userID: UInt32,
        named: (String) -> UInt32? = Self.number
    ) -> Bool {
        switch self {
        case .any: true
        case .machine: userID == 0 || userID == named(Self.daemonAccount)
        }
    }

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
