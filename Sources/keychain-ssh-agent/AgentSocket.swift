import Glibc
import KeychainModel
import KeychainSockets

/// The socket of the agent, which it made or inherited.
struct AgentSocket: ~Copyable {
    private static let mode: mode_t = 0o600
    private static let backlog: Int32 = 128

    let listener: UnixListener
    /// The path; nil for a socket that another process made.
    let path: String?
    /// The directory that was made for the socket; nil if there is none.
    let directory: String?
    private let identity: (device: UInt64, inode: UInt64)

    /// Listens at a path, or in a new directory that only the account can enter.
    ///
    /// - Throws: `errSecNotAvailable` with the reason.
    init(at path: String?) throws(KeychainError) {
        let directory = path == nil ? try Self.makeDirectory() : nil
        let place = path ?? (directory ?? "") + "/agent"
        if path != nil {
            try Self.requireSafeDirectory(of: place)
            try Self.removeStale(place)
        }
        do throws(SocketError) { listener = try UnixListener(at: place, mode: Self.mode) } catch {
            throw KeychainError(.notAvailable, "cannot listen at \(place): \(error.words)")
        }
        self.path = place
        self.directory = directory
        identity = Self.identity(of: place)
    }

    private static func identity(of path: String) -> (device: UInt64, inode: UInt64) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return (0, 0) }
        return (UInt64(status.st_dev), UInt64(status.st_ino))
    }

    /// Takes over a listening socket.
    ///
    /// - Parameters:
    ///   - number: The descriptor.
    ///   - path: The path of the socket, if it has to be removed at the end.
    ///   - directory: The directory to remove with it.
    /// - Throws: `errSecNotAvailable` if the descriptor is not a listening socket.
    init(
        inheriting number: Int32,
        at path: String? = nil,
        in directory: String? = nil
    ) throws(KeychainError) {
        guard fcntl(number, F_SETFD, FD_CLOEXEC) == 0 else {
            throw KeychainError(.notAvailable, "descriptor \(number) is no socket")
        }
        do throws(SocketError) { listener = try UnixListener(Descriptor(number)) } catch {
            throw KeychainError(.notAvailable, "descriptor \(number): \(error.words)")
        }
        // From now on, the kernel reports this process as the listener, not the one that made the
        // socket. If this fails, the socket still works.
        _ = Glibc.listen(number, Self.backlog)
        self.path = path
        self.directory = directory
        identity = path.map(Self.identity) ?? (0, 0)
    }

    /// Returns the socket from systemd; nil if there is none.
    ///
    /// - Source: sd_listen_fds(3).
    static func systemdDescriptor() -> Int32? {
        defer {
            unsetenv("LISTEN_PID")
            unsetenv("LISTEN_FDS")
            unsetenv("LISTEN_FDNAMES")
        }
        guard let process = variable("LISTEN_PID").flatMap({ Int32($0) }), process == getpid(),
            let count = variable("LISTEN_FDS").flatMap({ Int32($0) }), count >= 1
        else { return nil }
        return 3
    }

    static func variable(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }

    /// Removes the socket and directory that were made, unless another file is in their place.
    borrowing func remove() {
        guard let path, Self.identity(of: path) == identity else { return }
        unlink(path)
        if let directory { rmdir(directory) }
    }

    private static func makeDirectory() throws(KeychainError) -> String {
        let parent = variable("XDG_RUNTIME_DIR") ?? variable("TMPDIR") ?? "/tmp"
        var template = Array((parent + "/keychain-ssh-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            let words = String(cString: strerror(errno))
            throw KeychainError(.notAvailable, "cannot make a directory in \(parent): \(words)")
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Checks that no other account can rename the socket or a directory above it, and so replace
    /// it.
    private static func requireSafeDirectory(of path: String) throws(KeychainError) {
        let slash = path.lastIndex(of: "/")
        let parent = slash.map { path[..<$0] } ?? "."
        let directory = parent.isEmpty ? "/" : String(parent)
        guard let resolved = realpath(directory, nil) else {
            let words = String(cString: strerror(errno))
            throw KeychainError(.notAvailable, "the socket's directory \(directory): \(words)")
        }
        defer { free(resolved) }
        let owners: Set<uid_t> = [geteuid(), 0, owner(of: "/")]
        for place in ancestors(of: directory) + ancestors(of: String(cString: resolved)) {
            try requireSafe(place, owners)
        }
    }

    /// Returns a path with all directories above it.
    private static func ancestors(of path: String) -> [String] {
        var rest = path[...]
        var found: [String] = []
        while !rest.isEmpty {
            found.append(String(rest))
            rest = rest.lastIndex(of: "/").map { rest[..<$0] } ?? ""
        }
        return found + (path.hasPrefix("/") ? ["/"] : [])
    }

    /// Returns the owner of a directory.
    ///
    /// In a container root may have another number, but it owns the topmost directory.
    private static func owner(of directory: String) -> uid_t {
        var status = stat()
        return stat(directory, &status) == 0 ? status.st_uid : 0
    }

    private static func requireSafe(
        _ directory: String,
        _ owners: Set<uid_t>
    ) throws(KeychainError) {
        var status = stat()
        let isKnown = lstat(directory, &status) == 0
        let isLink = status.st_mode & S_IFMT == S_IFLNK
        let isShared = status.st_mode & 0o022 != 0 && status.st_mode & S_ISVTX == 0 && !isLink
        guard isKnown, !isShared, owners.contains(status.st_uid) else {
            let reason =
                "others can replace files in \(directory); choose a directory of your own for -a"
            throw KeychainError(.notAvailable, reason)
        }
    }

    /// Removes the socket of an agent that was killed.
    private static func removeStale(_ path: String) throws(KeychainError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw KeychainError(.notAvailable, "\(path) exists and is no socket; remove it")
        }
        do throws(SocketError) {
            _ = try UnixStream(connectingTo: path, milliseconds: 1000)
        } catch {
            guard error.code == ECONNREFUSED, unlink(path) == 0 else {
                throw KeychainError(.notAvailable, "\(path) exists: \(error.words)")
            }
            return
        }
        throw KeychainError(.notAvailable, "another agent listens at \(path)")
    }
}
