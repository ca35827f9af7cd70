import Cryptography
import Glibc
import KeychainCommand

/// A lock that prevents two processes from synchronizing one keychain at the same time.
///
/// The kernel releases it when the process ends, for whichever reason.
struct SyncLock: ~Copyable {
    private let descriptor: Int32

    /// Returns the path of a keychain's lock.
    ///
    /// The path depends on no environment variable, because a timer's environment differs from that
    /// of a session.
    static func path(_ subject: String, _ userID: UInt32) -> String {
        let runtime = "/run/user/\(userID)"
        let folder = access(runtime, W_OK) == 0 ? runtime : "/tmp"
        let digest = (try? Digest.sha256(Array(subject.utf8)).prefix(8)) ?? []
        let name = digest.map { String($0, radix: 16) }.joined()
        return "\(folder)/keychain-sync-\(userID)-\(name).lock"
    }

    /// Waits for the lock of the keychain that `subject` identifies.
    init(_ subject: String, _ userID: UInt32) throws(CommandFailure) {
        let path = Self.path(subject, userID)
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW
        descriptor = Glibc.open(path, flags, 0o600)
        guard descriptor >= 0 else {
            throw .input("cannot open \(path): \(String(cString: strerror(errno)))")
        }
        var about = stat()
        guard fstat(descriptor, &about) == 0, about.st_uid == geteuid() else {
            close(descriptor)
            throw .input("\(path) belongs to another account")
        }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else {
                let reason = String(cString: strerror(errno))
                close(descriptor)
                throw .input("cannot lock \(path): \(reason)")
            }
        }
    }

    deinit {
        // A program that another thread is starting inherits the lock until its `exec`.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
