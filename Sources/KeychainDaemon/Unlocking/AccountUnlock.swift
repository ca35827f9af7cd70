import Glibc
import KeychainEngine
import KeychainHost
import KeychainModel

/// How the system daemon unlocks accounts without people: by a credential or an open file for each
/// account, both called `keychain.UID`.
///
/// A credential that systemd opens with the TPM (`LoadCredentialEncrypted=`) is the way to bind the
/// passcode to the machine. A lock on purpose stays: only a person unlocks after it.
/// - Source: Documentation/Spec/locking.md §4.
package struct AccountUnlock: Sendable {
    private static let prefix = "keychain."

    private let directory: String?
    private let descriptors: [UInt32: Int32]

    /// From what systemd passes to the service.
    ///
    /// - Parameters:
    ///   - directory: The value of `CREDENTIALS_DIRECTORY`.
    ///   - descriptors: Open files, by account.
    package init(directory: String?, descriptors: [UInt32: Int32]) {
        self.directory = directory
        self.descriptors = descriptors
    }

    /// The account of a credential's or a descriptor's name.
    static func account(of name: String) -> UInt32? {
        name.hasPrefix(prefix) ? UInt32(name.dropFirst(prefix.count)) : nil
    }

    /// The source for an account, as `KEYCHAIN_UNLOCK_WITH` spells it; nil if there is none.
    package func source(for account: UInt32) -> String? {
        if let descriptor = descriptors[account] { return "fd:\(descriptor)" }
        let name = Self.prefix + String(account)
        guard let directory, access(directory + "/" + name, F_OK) == 0 else { return nil }
        return "credential:" + name
    }

    /// Unlocks the keychain of an account that nobody unlocked since the machine started.
    ///
    /// - Throws: why the source cannot be read; the keychain is locked then.
    package func unlock(
        _ engine: Engine,
        of account: UInt32,
        in home: KeychainHome
    ) throws(KeychainError) {
        guard let source = source(for: account) else { return }
        // Whoever reads it takes it for an open file of this process's starter, and closes it for
        // children.
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
