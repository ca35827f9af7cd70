import KeychainMessages
import KeychainModel
import Secrets

/// The source of the keys of files: a keychain, or a test.
package struct FileKeySource: Sendable {
    /// A function that carries out one request.
    package typealias Ask = @Sendable (FileKeyRequest) throws(KeychainError) -> FileKeyReply

    private let ask: Ask

    package init(_ ask: @escaping Ask) { self.ask = ask }

    /// Returns a key for a new file, wrapped and in the clear.
    func make(
        _ fileClass: FileClass,
        file: FileIdentifier,
        group: String?
    ) throws(KeychainError) -> (WrappedFileKey, SharedSecret) {
        guard case .made(let wrapped, let key) = try ask(.make(fileClass, file: file, group: group))
        else { throw .unexpectedReply }
        return (wrapped, key)
    }

    func open(_ wrapped: WrappedFileKey) throws(KeychainError) -> SharedSecret {
        guard case .key(let key) = try ask(.open(wrapped)) else { throw .unexpectedReply }
        return key
    }

    func move(
        _ wrapped: WrappedFileKey,
        to fileClass: FileClass
    ) throws(KeychainError) -> WrappedFileKey {
        guard case .moved(let moved) = try ask(.move(wrapped, to: fileClass)) else {
            throw .unexpectedReply
        }
        return moved
    }

    func check(_ wrapped: WrappedFileKey) throws(KeychainError) {
        guard case .usable = try ask(.check(wrapped)) else { throw .unexpectedReply }
    }
}
