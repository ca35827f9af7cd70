import Glibc

@_implementationOnly import CFileFacts

/// A probe of the encryption of a directory by its file system.
///
/// Protected files are containers (Documentation/Spec/file.md) on every file system. fscrypt
/// encrypts whole directories, and its keys open for every program that may read the files.
package struct BackingProbe: Sendable, Equatable {
    /// The state of fscrypt for this directory.
    package enum DirectoryEncryption: Sendable, Equatable {
        /// The directory is encrypted, by a policy of this version.
        case active(version: Int)
        /// The file system could encrypt the directory, but does not.
        case possible
        /// The file system or the kernel has no fscrypt.
        case unsupported
        /// The process may not ask the file system.
        case unknown(code: Int32)
    }

    package let fileSystem: String
    package let encryption: DirectoryEncryption

    /// Queries the file system of a path.
    ///
    /// - Throws: `system` if the path cannot be opened.
    package init(_ path: String) throws(FileFailure) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw .last("opened", path) }
        defer { close(descriptor) }
        fileSystem = Self.name(file_system_magic(descriptor))
        let version = file_encryption_policy(descriptor)
        encryption = Self.encryption(version, version < 0 ? errno : 0)
    }

    static func encryption(_ version: Int32, _ code: Int32) -> DirectoryEncryption {
        guard version < 0 else { return .active(version: Int(version)) }
        return switch code {
        case ENODATA: .possible
        case ENOTTY, EOPNOTSUPP, EINVAL: .unsupported
        default: .unknown(code: code)
        }
    }

    private static func name(_ magic: UInt64) -> String {
        switch magic {
        case 0xEF53: "ext4"
        case 0xF2F5_2010: "f2fs"
        case 0x9123_683E: "btrfs"
        case 0x5846_5342: "xfs"
        case 0x0102_1994: "tmpfs"
        case 0x794C_7630: "overlay"
        case 0x6969: "nfs"
        case 0x2405_1905: "ubifs"
        default: "0x" + String(magic, radix: 16)
        }
    }

    /// A sentence for people about the encryption that is used, and why.
    package var reason: String {
        switch encryption {
        case .active(let version):
            "fscrypt (policy version \(version)) encrypts this directory as well; its key opens "
                + "for every program of whoever unlocked it, so classes need the container"
        case .possible:
            "\(fileSystem) could encrypt this directory with fscrypt, but fscrypt has no classes "
                + "and does not lock with the keychain"
        case .unsupported: "\(fileSystem) has no fscrypt here"
        case .unknown(let code):
            "\(fileSystem) does not say whether it has fscrypt: \(String(cString: strerror(code)))"
        }
    }
}
