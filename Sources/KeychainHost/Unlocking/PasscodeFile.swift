import Glibc
import KeychainModel
import Secrets

/// An open file that contains a passcode.
struct PasscodeFile {
    /// The most bytes of a passcode.
    static let byteCountLimit = 4095

    private static let newline = UInt8(ascii: "\n")

    private let descriptor: Int32
    private let name: String

    /// Uses a descriptor that the caller closes, and its name for messages.
    init(_ descriptor: Int32, called name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    /// Reads the passcode from a descriptor that this process inherited.
    ///
    /// A descriptor that this process opened itself has the close-on-exec flag, and is refused.
    static func passcode(inherited descriptor: Int32) throws(KeychainError) -> SharedSecret {
        let flags = fcntl(descriptor, F_GETFD)
        guard flags >= 0, flags & FD_CLOEXEC == 0 else {
            let reason =
                "file descriptor \(descriptor) is not open; pass it, for example"
                + " as \(descriptor)<passcode-file"
            throw KeychainError(.notAvailable, reason)
        }
        let file = PasscodeFile(descriptor, called: "file descriptor \(descriptor)")
        let passcode = try file.read(toLineEnd: true)
        // Programs that this process starts later must not read it again.
        guard fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) == 0 else {
            throw .failed("fcntl", file.name)
        }
        return passcode
    }

    /// Reads the passcode from a file of this user or root that others can neither read nor change.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - forbidden: The permission bits that it must not have.
    /// - Returns: The passcode.
    /// - Throws: `errSecNotAvailable` for a file that others can access, or the errors of `read`.
    static func passcode(
        at path: String,
        forbidding forbidden: mode_t = 0o077
    ) throws(KeychainError) -> SharedSecret {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .failed("open", path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .failed("fstat", path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw KeychainError(.notAvailable, "\(path) is not a regular file")
        }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            let reason = "\(path) belongs to user \(status.st_uid), who could change the passcode"
            throw KeychainError(.notAvailable, reason)
        }
        guard status.st_mode & forbidden == 0 else {
            let reason = "other users can access \(path): run chmod 600 \(path)"
            throw KeychainError(.notAvailable, reason)
        }
        return try PasscodeFile(descriptor, called: path).read()
    }

    /// Reads to the end; a final line break is not part of the passcode.
    ///
    /// - Parameter toLineEnd: Whether to stop at a line break, because a pipe may stay open.
    /// - Returns: The passcode.
    /// - Throws: `errSecNotAvailable` for an empty file, `errSecDataTooLarge`, or the status of the
    ///   system error.
    func read(toLineEnd: Bool = false) throws(KeychainError) -> SharedSecret {
        var count = 0
        let buffer = try Secret(byteCount: Self.byteCountLimit + 1) {
            bytes throws(KeychainError) in
            while count < bytes.count {
                let room = UnsafeMutableRawBufferPointer(rebasing: bytes[count...])
                let part = Glibc.read(descriptor, room.baseAddress, room.count)
                if part < 0, errno == EINTR { continue }
                guard part >= 0 else { throw .failed("read", name) }
                guard part > 0 else { return }
                count += part
                if toLineEnd, bytes[count - 1] == Self.newline { return }
            }
        }
        guard count <= Self.byteCountLimit else {
            throw KeychainError(.dataTooLarge, "\(name) contains more than a passcode")
        }
        let passcode = buffer.withUnsafeBytes { bytes in
            let text = bytes[..<count]
            let isLine = text.last == Self.newline
            return Secret(
                copying: UnsafeRawBufferPointer(rebasing: isLine ? text.dropLast() : text)
            )
        }
        guard passcode.byteCount > 0 else {
            throw KeychainError(.notAvailable, "\(name) contains no passcode")
        }
        return SharedSecret(passcode)
    }
}
