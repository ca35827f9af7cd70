import Foundation
import KeychainCommand
import KeychainModel

/// A lock that lets one migration or undo of a keychain run at a time.
///
/// Each would read files and records that the other is changing. The kernel releases the lock at
/// any end of the process.
enum MigrationTurn {
    /// Runs `body` while no other process runs one for the same folder.
    ///
    /// - Parameters:
    ///   - folder: The folder of the journal.
    ///   - patience: The time for which to wait for another process.
    ///   - body: The migration, from its plan to the last change of a file.
    /// - Returns: The result of `body`.
    /// - Throws: `errSecNotAvailable` if another process has the turn for longer; `errSecIO`; the
    ///   errors of `body`.
    static func hold<R>(
        in folder: String,
        patience: Duration = .seconds(30),
        _ body: () throws(CommandFailure) -> R
    ) throws(CommandFailure) -> R {
        let path = folder + "/migration.lock"
        let deadline = ContinuousClock.now + patience
        while true {
            let file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw failed("opened", path) }
            defer { close(file) }
            if flock(file, LOCK_EX | LOCK_NB) == 0 {
                // Another process may have removed the file in between.
                guard isNamed(file, path) else { continue }
                defer {
                    unlink(path)
                    // A program that another thread is starting has the lock, too, until it runs.
                    flock(file, LOCK_UN)
                }
                return try body()
            }
            guard errno == EWOULDBLOCK || errno == EINTR else { throw failed("locked", path) }
            guard ContinuousClock.now < deadline else {
                let reason = "another keychainctl migrate is running: try again when it has ended"
                throw .keychain(KeychainError(.notAvailable, reason))
            }
            usleep(50_000)
        }
    }

    private static func isNamed(_ file: Int32, _ path: String) -> Bool {
        var (own, named) = (stat(), stat())
        return fstat(file, &own) == 0 && lstat(path, &named) == 0 && own.st_dev == named.st_dev
            && own.st_ino == named.st_ino
    }

    private static func failed(_ verb: String, _ path: String) -> CommandFailure {
        let reason = "\(path) cannot be \(verb): \(String(cString: strerror(errno)))"
        return .keychain(KeychainError(.io, reason))
    }
}
