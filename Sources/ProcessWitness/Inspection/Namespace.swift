import Glibc
import KeychainSockets

/// A namespace of a process, compared with this process's own.
enum Namespace: String {
    case user
    case mount = "mnt"

    /// Whether a process is in the same namespace as this one; false if that is unknown.
    static func isShared(_ directory: borrowing ProcessDirectory, _ kind: Namespace) -> Bool {
        guard let theirs = identity(directory.opened("ns/\(kind.rawValue)")) else { return false }
        return theirs == identity(at: "/proc/thread-self/ns/\(kind.rawValue)")
    }

    /// Whether a process sees the mounts of this process, or those of the machine's first process.
    ///
    /// Only root can mount there, except for file systems that programs serve.
    static func sharesMounts(_ directory: borrowing ProcessDirectory) -> Bool {
        guard let theirs = identity(directory.opened("ns/mnt")) else { return false }
        return theirs == identity(at: "/proc/thread-self/ns/mnt")
            || theirs == identity(at: "/proc/1/ns/mnt")
    }

    private static func identity(at path: String) -> FileFacts.Identity? {
        identity(Descriptor(opened: open(path, Descriptor.pathOnly | O_CLOEXEC)))
    }

    private static func identity(_ file: consuming Descriptor?) -> FileFacts.Identity? {
        guard let file else { return nil }
        return FileFacts(of: file.number)?.identity
    }
}
