import KeychainMessages
import KeychainModel

/// The key of a class of files as the database keeps it: wrapped, and with a code of its content.
///
/// - Source: Documentation/Spec/file-keys.md §1.
package struct FileKeyRow: Sendable, Equatable {
    /// The size of `code`.
    static let codeByteCount = 32

    /// Later sets have higher numbers.
    let number: Int64
    /// The name of the key set.
    let name: [UInt8]
    let fileClass: FileClass
    /// Of `completeUnlessOpen` the public half; else empty.
    let publicKey: [UInt8]
    var wrapped: [UInt8]
    /// The authentication code of all else.
    var code: [UInt8] = []

    /// Number, class, name, public half and wrapped key, as the code is made of them.
    var message: [UInt8] {
        Coercion.littleEndian(number) + [fileClass.rawValue] + name + publicKey + wrapped
    }

    /// Whether every part has the size that it has to have: only then is a message one row's.
    var isWellFormed: Bool {
        name.count == WrappedFileKey.keySetByteCount
            && publicKey.count == WrappedFileKey.ephemeralByteCount(of: fileClass)
            && wrapped.count == WrappedFileKey.wrappedByteCount
            && code.count == Self.codeByteCount
    }
}

extension FileClass {
    /// The class of items under whose key the key of this class is wrapped: in memory when this
    /// one is to be, and on no other device.
    var guardian: ProtectionClass {
        switch self {
        case .complete, .completeUnlessOpen: .whenUnlockedThisDeviceOnly
        case .completeUntilFirstUserAuthentication: .afterFirstUnlockThisDeviceOnly
        case .none: .alwaysThisDeviceOnly
        }
    }
}
