import Glibc
import KeychainEngine
import KeychainHost
import KeychainModel

/// The unlock of accounts of the system daemon without a user.
///
/// Each account has a credential or an open file named `keychain.UID`. A credential that systemd
/// opens with the TPM (`LoadCredentialEncrypted=`) binds the passcode to the machine. After a lock
/// on purpose, only a person can unlock.
/// - Source: Documentation/Spec/locking.md §4.
package struct AccountUnlock: Sendable {
    private static let prefix = "keychain."

    private let directory: String?
    private let descriptors: [UInt32: Int32]

    /// Creates it from systemd's data for the service.
    ///
    /// - Parameters:
    ///   - directory: The value of `CREDENTIALS_DIRECTORY`.
    ///   - descriptors: Open files, by account.
    package init(directory: String?, descriptors: [UInt32: Int32]) {
        self.directory = directory
        self.descriptors = descriptors
    }

    /// Returns the account in a credential's or a descriptor's name.
    static func account(of name: String) -> UInt32? {
        name.hasPrefix(prefix) ? UInt32(name.dropFirst(prefix.count)) : nil
    }

    /// Returns the source for an account in the form of `KEYCHAIN_UNLOCK_WITH`; nil if there is
    /// none.
    package func source(for account: UInt32) -> String? {
        if let descriptor = descriptors[account] { return "fd:\(descriptor)" }
        let name = Self.prefix + String(account)
        guard let directory, access(directory + "/" + name, F_OK) == 0 else { return nil }
        return "credential:" + name
    }

    /// Unlocks an account's keychain, if it was not unlocked since the machine started.
    ///
    /// - Throws: The error of a source that cannot be read; the keychain is then locked.
    package func unlock(
        _ engine: Engine,
        of account: UInt32,
        in home: KeychainHome
    ) throws(KeychainError) {
        guard let source = source(for: account) else { return }
        // The reader accepts only a descriptor without the close-on-exec flag, like one that was
        // inherited, and sets the flag.
        if let descriptor = descriptors[account] { _ = fcntl(descriptor, F_SETFD, 0) }
        defer {
            if let descriptor = descriptors[account] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        }
        let environment = ProcessEnvironment(executable: "/keychaind") { [directory] name in
            switch name {
            case UnlockSource.variable: source
            case "CREDENTIALS_DIRECTORY": directory
            default: nil
            }
        }
        try HeadlessUnlock(home: home, environment: environment).unlock(engine)
    }
}
