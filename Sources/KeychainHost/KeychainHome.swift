import DataProtection
import Glibc
import KeychainEngine
import KeychainModel

/// The directory of a keychain and the files in it.
///
/// - Source: Documentation/Spec/store.md §1.
package struct KeychainHome: Sendable, Hashable {
    package let directory: String
    /// The origin of the directory; nil if the caller gave it.
    private let origin: Origin?

    private enum Origin: Sendable, Hashable {
        case variable(String, value: String)
        /// The account's entry, because no variable is set.
        case account
    }

    /// The variables in order of precedence, with the suffix for each value.
    private static let places = [
        ("KEYCHAIN_HOME", ""), ("XDG_DATA_HOME", "/keychain"), ("HOME", "/.local/share/keychain"),
    ]

    package init(directory: String) {
        self.directory = directory
        origin = nil
    }

    /// Finds `KEYCHAIN_HOME`, or else `$XDG_DATA_HOME/keychain`, or else `~/.local/share/keychain`.
    ///
    /// Without `HOME`, the home directory is that of the account.
    ///
    /// - Throws: `errSecNotAvailable` if there is no directory; `errSecParam` for a relative path
    ///   in a variable that is not ours.
    package init(_ environment: ProcessEnvironment) throws(KeychainError) {
        for (variable, suffix) in Self.places {
            guard let value = environment[variable] else { continue }
            guard variable == "KEYCHAIN_HOME" || value.hasPrefix("/") else {
                let reason = "\(variable) is '\(value)', which is not an absolute path"
                throw KeychainError(.param, reason)
            }
            directory = value + suffix
            origin = .variable(variable, value: value)
            return
        }
        guard let home = environment.accountHome else {
            let reason =
                "KEYCHAIN_HOME and HOME are unset, and the account has no home directory: set"
                + " KEYCHAIN_HOME"
            throw KeychainError(.notAvailable, reason)
        }
        directory = home + "/.local/share/keychain"
        origin = .account
    }

    /// The origin of the directory, for people; nil if the caller gave it.
    package var originWords: String? {
        switch origin {
        case .variable(let name, _)?: name
        case .account?: "the account's home directory, as HOME is unset"
        case nil: nil
        }
    }

    /// Whether the variables still name this directory; every call checks it, so nothing is copied.
    package func isNamed(by environment: ProcessEnvironment) -> Bool {
        switch origin {
        case nil: return false
        case .account?: return Self.places.allSatisfy { environment.has("", in: $0.0) }
        case .variable(let name, let value)?:
            for (variable, _) in Self.places {
                if variable == name { return environment.has(value, in: variable) }
                guard environment.has("", in: variable) else { return false }
            }
            return false
        }
    }

    /// The database file.
    package var database: String { directory + "/keychain.db" }
    package var keybag: String { directory + "/" + DeviceFile.keybag.rawValue }

    /// Whether this keychain has not been created yet, as far as its files show.
    var isAbsent: Bool {
        access(keybag, F_OK) != 0 && access(database, F_OK) != 0 && !isInDaemon
    }

    /// Creates the directory if it is missing, and checks that only this user has access.
    package func prepareDirectory() throws(KeychainError) {
        _ = try fromStorage(try DirectoryStorage(path: directory))
    }

    /// Creates the database if it is missing, and checks that it is complete and only this user's.
    ///
    /// - Throws: `errSecNotAvailable` for a file that others can access, or that was truncated. A
    ///   new database gets its name when it is complete, so an empty one has lost its content.
    package func prepareDatabase() throws(KeychainError) {
        if try !isPresent(database) { try makeDatabase() }
        for suffix in ["-wal", "-shm"] { _ = try isPresent(database + suffix) }
        // Read the log first: as long as it has pages, the database may lack them.
        let hasLog = byteCount(database + "-wal") > 0
        let count = byteCount(database)
        guard count >= Self.blockByteCount, hasLog || count % Self.blockByteCount == 0 else {
            let reason =
                "\(database) is damaged (it was cut to \(count) bytes); nothing was deleted"
            throw KeychainError(.notAvailable, reason)
        }
    }

    /// A divisor of every SQLite page size; a database consists of whole pages.
    private static let blockByteCount = 512

    private func byteCount(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    private func isPresent(_ path: String) throws(KeychainError) -> Bool {
        try fromStorage(try OwnerOnly.check(path, is: .file))
    }

    /// Throws for a database without the keybag that opens it.
    ///
    /// Something was lost, so nothing new is created, unless a factory reset was interrupted after
    /// it had destroyed the keybag. It also throws in the place of a keychain that has moved into a
    /// daemon.
    /// - Source: Documentation/Spec/adoption.md §2.
    package func requireKeybag() throws(KeychainError) {
        guard access(keybag, F_OK) == 0 || !isInDaemon else {
            throw KeychainError(
                .notAvailable,
                "the keychain of \(directory) was moved into the daemon, and this program does not"
                    + " reach the daemon: start it, or run keychainctl daemon release; if a move"
                    + " was interrupted, run it again"
            )
        }
        guard access(database, F_OK) == 0, access(keybag, F_OK) != 0 else { return }
        if let isErasing = try? ItemStore(opening: database).isErasing(), isErasing { return }
        let reason = "\(keybag) is missing, and \(database) cannot be opened without it"
        throw KeychainError(.notAvailable, reason)
    }
}

// Creating a database under another name first.
extension KeychainHome {
    private var unfinished: String { database + ".new" }

    private func makeDatabase() throws(KeychainError) {
        let storage = try fromStorage(try DirectoryStorage(path: directory))
        try storage.whileLocked { () throws(KeychainError) in
            // Another process may have created it while this one waited.
            guard access(database, F_OK) != 0 else { return }
            try makeUnfinished()
            try DurableRename.move(unfinished, to: database)
        }
    }

    /// Creates the unfinished database, and replaces one that a crash left.
    private func makeUnfinished() throws(KeychainError) {
        for suffix in ["", "-wal", "-shm"] { unlink(unfinished + suffix) }
        let descriptor = open(unfinished, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .failed("open", unfinished) }
        close(descriptor)
        _ = try ItemStore(opening: unfinished)
        // Closing moves the log into the database. A log that is left means that this failed, and
        // the database would get its name without those pages.
        guard access(unfinished + "-wal", F_OK) != 0 else {
            throw KeychainError(.io, "\(unfinished) cannot be completed")
        }
    }
}
