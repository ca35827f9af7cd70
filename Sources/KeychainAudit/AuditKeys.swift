import Cryptography
import KeychainModel
import Secrets

/// The keys that authenticate the lines of a log and name items in it, derived from one key.
///
/// - Source: Documentation/Spec/log.md §1.
struct AuditKeys: Sendable {
    /// The size of a code in bytes.
    static let codeByteCount = 16
    /// The code before the very first line.
    static let noCode = [UInt8](repeating: 0, count: codeByteCount)

    private let chain: MessageAuthenticator
    let items: MessageAuthenticator

    /// The kind of a text, which is the first byte of the message for its code.
    enum Kind: UInt8 {
        case header = 1
        case line = 2
        case head = 3
    }

    /// - Parameter key: 32 bytes that only the log uses.
    /// - Throws: `errSecInternalComponent` if libcrypto fails.
    init(_ key: borrowing Secret) throws(KeychainError) {
        do throws(CryptographyError) {
            chain = try MessageAuthenticator(key: try Self.derive("log chain", from: key))
            items = try MessageAuthenticator(key: try Self.derive("log items", from: key))
        } catch {
            throw KeychainError(.internalComponent, "the log's keys cannot be derived: \(error)")
        }
    }

    private static func derive(
        _ label: String,
        from key: borrowing Secret
    ) throws(CryptographyError) -> Secret {
        try HKDF.deriveKey(from: key, salt: [], info: Array(label.utf8), byteCount: 32)
    }

    /// Whether both are derived from the same key.
    func agree(with other: AuditKeys) -> Bool {
        let probe: [UInt8] = [0]
        guard let own = code(of: probe), let others = other.code(of: probe) else { return false }
        return own == others
    }

    /// Returns the code of a text that follows another code; nil if libcrypto fails.
    func code(
        _ kind: Kind,
        after previous: [UInt8] = [],
        of text: some Collection<UInt8>
    ) -> [UInt8]? {
        var message: [UInt8] = []
        message.reserveCapacity(1 + previous.count + text.count)
        message.append(kind.rawValue)
        message += previous
        message += text
        return code(of: message)
    }

    /// Returns the code of a message that starts with its kind; nil if libcrypto fails.
    func code(of message: [UInt8]) -> [UInt8]? {
        try? chain.authenticate(message, byteCount: Self.codeByteCount)
    }
}
