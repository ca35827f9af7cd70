import DataProtection
import Glibc
import KeychainModel

/// The directory of a keychain and the files in it.
///
/// - Source: Documentation/Spec/store.md §1.
package struct KeychainHome: Sendable, Hashable {
    package let directory: String

    package init(directory: String) { self.directory = directory }

    /// `KEYCHAIN_HOME`, else `$XDG_DATA_HOME/keychain`, else `~/.local/share/keychain`.
    ///
    /// - Throws: `errSecNotAvailable` when no variable names a place.
    package init(_ environment: ProcessEnvironment) throws(KeychainError) {
        if let home = environment["KEYCHAIN_HOME"] {
            directory = home
        } else if let data = environment["XDG_DATA_HOME"] {
            directory = data + "/keychain"
        } else if let home = environment["HOME"] {
            directory = home + "/.local/share/keychain"
        } else {
            let reason = "neither KEYCHAIN_HOME nor HOME says where the keychain is"
            throw KeychainError(.notAvailable, reason)
        }
    }

    /// The database file.
    package var database: String { directory + "/keychain.db" }
    package var keybag: String { directory + "/" + DeviceFile.keybag.rawValue }

    /// Makes the database file if it is absent, and checks that it is this user's alone.
    package func prepareDatabase() throws(KeychainError) {
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC
        let descriptor = open(database, flags, 0o600)
        guard descriptor >= 0 else {
            let code = errno
            throw KeychainError(.system(operation: "open", path: database, code: code))
        }
        close(descriptor)
        for suffix in ["", "-wal", "-shm"] {
            do throws(StorageError) {
                try OwnerOnly.check(database + suffix, is: .file)
            } catch {
                throw KeychainError(error)
            }
        }
    }

    /// A database without the keybag that opens it: something was lost, so nothing is made anew.
    func requireKeybag() throws(KeychainError) {
        var status = stat()
        guard stat(database, &status) == 0, status.st_size > 0, access(keybag, F_OK) != 0 else {
            return
        }
        let reason = "\(keybag) is missing, and \(database) cannot be opened without it"
        throw KeychainError(.notAvailable, reason)
    }
}
