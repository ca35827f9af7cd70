import KeychainMessages
import KeychainModel

/// The key of a file class as the database stores it: wrapped, with an authentication code.
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
    /// The public half of a key of `completeUnlessOpen`; empty for other classes.
    let publicKey: [UInt8]
    var wrapped: [UInt8]
    /// The authentication code of all other columns.
    var code: [UInt8] = []

    /// The input of the code: number, class, name, public half and wrapped key.
    var message: [UInt8] {
        Coercion.littleEndian(number) + [fileClass.rawValue] + name + publicKey + wrapped
    }

    /// Whether every part has its proper size; only then does the message identify one row.
    var isWellFormed: Bool {
        name.count == WrappedFileKey.keySetByteCount
            && publicKey.count == WrappedFileKey.ephemeralByteCount(of: fileClass)
            && wrapped.count == WrappedFileKey.wrappedByteCount
            && code.count == Self.codeByteCount
    }
}

extension FileClass {
    /// The item class whose key wraps the key of this file class.
    ///
    /// It is in memory exactly when the file class is open, and never leaves the device.
    var guardian: ProtectionClass {
        switch self {
        case .complete, .completeUnlessOpen: .whenUnlockedThisDeviceOnly
        case .completeUntilFirstUserAuthentication: .afterFirstUnlockThisDeviceOnly
        case .none: .alwaysThisDeviceOnly
        }
    }
}
