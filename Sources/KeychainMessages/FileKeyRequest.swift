import KeychainModel
import Secrets

/// A request about the keys of protected files; their content stays with the program.
package enum FileKeyRequest: Sendable, Hashable {
    /// Creates the key of a new file; a nil group means the program's first group.
    ///
    /// `completeUnlessOpen` works while the device is locked.
    case make(FileClass, file: FileIdentifier, group: String?)
    /// Unwraps the key of a file.
    case open(WrappedFileKey)
    /// Wraps the key of a file for another class, or with the newest key of the same class.
    case move(WrappedFileKey, to: FileClass)
    /// Checks whether an open file is still usable: its class's key has to be in memory.
    ///
    /// A file of `completeUnlessOpen` is usable as long as its program has it open.
    case check(WrappedFileKey)
}

/// The reply to a request about the keys of files.
package enum FileKeyReply: Sendable {
    case made(WrappedFileKey, key: SharedSecret)
    case key(SharedSecret)
    case moved(WrappedFileKey)
    case usable
}

/// The random name of a file, for which its key is wrapped.
package struct FileIdentifier: Sendable, Hashable {
    package static let byteCount = 16

    package let bytes: [UInt8]

    /// Returns nil unless there are 16 bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }
}

/// The key of a file as its header stores it, with the data needed to unwrap it.
///
/// - SeeAlso: Documentation/Spec/file-keys.md §3.
package struct WrappedFileKey: Sendable, Hashable {
    /// The size of the name of a key set.
    package static let keySetByteCount = 16
    /// The size of an X25519 public key.
    package static let publicKeyByteCount = 32
    /// The size of a file key of 32 bytes after AES key wrap (RFC 3394).
    package static let wrappedByteCount = 40

    package let fileClass: FileClass
    package let file: FileIdentifier
    /// The access group of the file, which the wrapping depends on.
    package let group: String
    /// The random name of the file key set, 16 bytes.
    package let keySet: [UInt8]
    /// For `completeUnlessOpen`, the file's own public key, 32 bytes; otherwise empty.
    package let ephemeralPublicKey: [UInt8]
    /// 40 bytes.
    package let wrapped: [UInt8]

    package init(
        _ fileClass: FileClass,
        file: FileIdentifier,
        group: String,
        keySet: [UInt8],
        ephemeralPublicKey: [UInt8],
        wrapped: [UInt8]
    ) {
        self.fileClass = fileClass
        self.file = file
        self.group = group
        self.keySet = keySet
        self.ephemeralPublicKey = ephemeralPublicKey
        self.wrapped = wrapped
    }

    /// Returns the size of the file's own public key, which only one class has.
    package static func ephemeralByteCount(of fileClass: FileClass) -> Int {
        fileClass == .completeUnlessOpen ? publicKeyByteCount : 0
    }

    /// Whether every part has its proper size.
    package var isWellFormed: Bool {
        keySet.count == Self.keySetByteCount && wrapped.count == Self.wrappedByteCount
            && ephemeralPublicKey.count == Self.ephemeralByteCount(of: fileClass)
    }
}
