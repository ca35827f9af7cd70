import DataProtection
import Glibc
import KeychainModel
import KeychainSockets

/// The socket that a daemon creates itself.
///
/// A lock file beside it distinguishes two daemons: only its owner replaces a socket that another
/// one left behind.
struct ServedSocket: ~Copyable {
    private let path: String
    private let lock: KeychainSockets.Descriptor
    /// The identity of the created socket; another one at the path is not removed.
    private let identity: (device: UInt64, inode: UInt64)

    /// Listens at a path.
    ///
    /// - Parameters:
    ///   - path: The socket's path.
    ///   - mode: The mode, which decides who may connect.
    /// - Returns: The socket's place, and the listener.
    /// - Throws: `errSecNotAvailable` if another daemon listens there, or if others can write to
    ///   the directory; or the system's error.
    static func listen(
        at path: String,
        mode: mode_t
    ) throws(KeychainError) -> ListeningSocket {
        try requireOwnDirectory(of: path)
        let lock = try lock(path)
        try removeStale(path)
        do throws(SocketError) {
            let listener = try UnixListener(at: path, mode: mode)
            return ListeningSocket(place: ServedSocket(path, lock), listener: listener)
        } catch { throw KeychainError(.notAvailable, "cannot listen at \(path): \(error.words)") }
    }

    private init(_ path: String, _ lock: consuming KeychainSockets.Descriptor) {
        self.path = path
        self.lock = lock
        var status = stat()
        identity =
            lstat(path, &status) == 0 ? (UInt64(status.st_dev), UInt64(status.st_ino)) : (0, 0)
    }

    // A program that another thread is just starting shares the lock until it runs.
    deinit { flock(lock.number, LOCK_UN) }

    /// Removes the socket, unless it has been replaced.
    func remove() {
        var status = stat()
        guard lstat(path, &status) == 0, UInt64(status.st_dev) == identity.device,
            UInt64(status.st_ino) == identity.inode
        else { return }
        unlink(path)
    }

    /// Throws if others can write to the directory, because they could replace the socket.
    private static func requireOwnDirectory(of path: String) throws(KeychainError) {
        guard path.hasPrefix("/"), let slash = path.lastIndex(of: "/") else {
            throw KeychainError(.param, "the socket \(path) is not an absolute path")
        }
        let directory = slash == path.startIndex ? "/" : String(path[..<slash])
        var status = stat()
        guard stat(directory, &status) == 0 else {
            let words = String(cString: strerror(errno))
            throw KeychainError(.notAvailable, "the socket's directory \(directory): \(words)")
        }
        guard status.st_mode & 0o022 == 0 else {
            let reason =
                "others can write to \(directory), and put another socket in place of the daemon's;"
                + " run chmod go-w \(directory), or choose another place with --socket"
            throw KeychainError(.notAvailable, reason)
        }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            let reason = "\(directory) belongs to account \(status.st_uid), which could replace the"
            throw KeychainError(.notAvailable, reason + " daemon's socket; choose another place")
        }
    }

    private static func lock(
        _ path: String
    ) throws(KeychainError) -> KeychainSockets.Descriptor {
        let name = path + ".lock"
        let number = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else {
            throw KeychainError(.notAvailable, "\(name): \(String(cString: strerror(errno)))")
        }
        let descriptor = KeychainSockets.Descriptor(number)
        guard flock(number, LOCK_EX | LOCK_NB) == 0 else { throw inUse(path) }
        return descriptor
    }

    /// Removes the socket of a daemon that was killed.
    private static func removeStale(_ path: String) throws(KeychainError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw KeychainError(.notAvailable, "\(path) exists and is no socket; remove it")
        }
        do throws(SocketError) {
            _ = try UnixStream(connectingTo: path, milliseconds: 1000)
        } catch {
            guard error.code == ECONNREFUSED else {
                let reason = "\(path) exists, and connecting to it fails: \(error.words)"
                throw KeychainError(.notAvailable, reason)
            }
            guard unlink(path) == 0 else {
                let words = String(cString: strerror(errno))
                throw KeychainError(.notAvailable, "cannot remove \(path): \(words)")
            }
            return
        }
        throw inUse(path)
    }

    private static func inUse(_ path: String) -> KeychainError {
        KeychainError(.notAvailable, "another daemon listens at \(path); stop it first")
    }
}

/// A created socket, with its listener.
struct ListeningSocket: ~Copyable {
    let place: ServedSocket
    var listener: UnixListener?

    init(place: consuming ServedSocket, listener: consuming UnixListener) {
        self.place = place
        self.listener = .some(consume listener)
    }
}
