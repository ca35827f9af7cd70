import KeychainModel
import Secrets

/// What can be asked about the keys of protected files; their content stays with the program.
package enum FileKeyRequest: Sendable, Hashable {
    /// Makes the key of a new file. A group that is nil stands for the program's first group.
    ///
    /// `completeUnlessOpen` works while the device is locked.
    case make(FileClass, file: FileIdentifier, group: String?)
    /// Unwraps the key of a file.
    case open(WrappedFileKey)
    /// Wraps the key of a file for another class, or for the newest key of the same class.
    case move(WrappedFileKey, to: FileClass)
    /// Asks whether an open file may still be used: its class's key is in memory.
    ///
    /// One of `completeUnlessOpen` may be used as long as its program has it open.
    case check(WrappedFileKey)
}

/// What is answered to a request about the keys of files.
package enum FileKeyReply: Sendable {
    case made(WrappedFileKey, key: SharedSecret)
    case key(SharedSecret)
    case moved(WrappedFileKey)
    case usable
}

/// The random name of a file, which its key is wrapped for.
package struct FileIdentifier: Sendable, Hashable {
    package static let byteCount = 16

    package let bytes: [UInt8]

    /// Nothing, unless there are 16 bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }
}

/// The key of a file as its header stores it, with what is needed to unwrap it.
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
    /// The access group that the file belongs to; the wrapping depends on it.
    package let group: String
    /// Which keys of the classes: their random name, 16 bytes.
    package let keySet: [UInt8]
    /// For `completeUnlessOpen` the file's own public key, 32 bytes; else empty.
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

    /// The size of the file's own public key: only one class has it.
    package static func ephemeralByteCount(of fileClass: FileClass) -> Int {
        fileClass == .completeUnlessOpen ? publicKeyByteCount : 0
    }

    /// Whether every part has the size that it has to have.
    package var isWellFormed: Bool {
        keySet.count == Self.keySetByteCount && wrapped.count == Self.wrappedByteCount
            && ephemeralPublicKey.count == Self.ephemeralByteCount(of: fileClass)
    }
}
