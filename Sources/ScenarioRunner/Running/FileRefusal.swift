import Cryptography
import Glibc
import KeychainHost
import KeychainMessages
import KeychainModel
import KeychainServices
import ProtectedFiles
import Secrets

/// The codes of `CocoaError` that file events result in.
enum FileErrorCode: Int32 {
    case noSuchFile = 4
    case locking = 255
    case readUnknown = 256
    case readNoPermission = 257
    case readCorrupt = 259
    case readNoSuchFile = 260
    case writeUnknown = 512
    case writeNoPermission = 513
}

/// The reason why a file event failed.
enum FileRefusal: Error {
    case file(FileFailure)
    /// The read of the item whose value encrypts the content failed.
    case item(Int32)
    /// The content is not what an event wrote.
    case corrupt

    static func of<Value>(
        _ body: () throws(FileFailure) -> Value
    ) throws(FileRefusal) -> Value {
        do throws(FileFailure) { return try body() } catch { throw .file(error) }
    }

    func outcome(of action: FileCall.Action) -> Outcome {
        switch self {
        case .file(let failure):
            Outcome(.file(failure.code(writes: action.writes)), failure.reason)
        // The finding about the item contains the reason.
        case .item(let status): Outcome(ScenarioStatus(status, .file))
        case .corrupt: Outcome(.file(.readCorrupt), "the content is not what was written")
        }
    }
}

extension FileCall.Action {
    fileprivate var writes: Bool {
        switch self {
        case .write, .delete, .protect: true
        case .read, .open, .close: false
        }
    }
}

extension FileFailure {
    /// The failure as a sentence that is the same in every run, because it names no container.
    fileprivate var reason: String {
        switch self {
        case .keychain(let error): error.reason
        case .system(_, _, ENOENT): "the file does not exist"
        case .busy: "another program has the file open"
        default: description
        }
    }

    /// Returns the code of the `CocoaError` that an app gets.
    fileprivate func code(writes: Bool) -> FileErrorCode {
        switch self {
        case .keychain, .inKeychain: writes ? .writeNoPermission : .readNoPermission
        case .damaged, .notProtected, .notRegular, .unknownVersion: .readCorrupt
        case .busy: .locking
        case .system(_, _, ENOENT): writes ? .noSuchFile : .readNoSuchFile
        case .closed, .notWritable, .interrupted, .tooLarge, .system:
            writes ? .writeUnknown : .readUnknown
        }
    }
}

extension ScenarioStatus {
    static func file(_ code: FileErrorCode) -> ScenarioStatus { .init(code.rawValue, .file) }
}

extension FileKeySource {
    /// The keychain of the running app.
    static let ambient = FileKeySource { request throws(KeychainError) in
        let reply = try RequestRouter.endpoint().send(.fileKeys(request))
        guard case .fileKeys(let reply) = reply else { throw .unexpectedReply }
        return reply
    }

    /// Checks whether a file's key can be unwrapped now.
    static func examine(_ key: WrappedFileKey) throws(FileFailure) {
        do throws(KeychainError) {
            _ = try RequestRouter.endpoint().send(.fileKeys(.open(key)))
        } catch { throw .keychain(error) }
    }
}

// The outer layer: content under a key from an item's value.
extension Scenario.ItemSetup {
    /// Returns the key that the running app derives from the item's value.
    func fileKey() throws(FileRefusal) -> EnvelopeKey {
        let (status, value) = read()
        guard status == errSecSuccess, let value else { throw .item(status) }
        do throws(CryptographyError) { return try EnvelopeKey(value) } catch { throw .corrupt }
    }

    func seal(_ content: [UInt8]) throws(FileRefusal) -> [UInt8] {
        try fileKey().seal(content)
    }
}

/// A key that encrypts the content of a file.
struct EnvelopeKey {
    private let key: SharedSecret

    init(_ value: String) throws(CryptographyError) {
        key = SharedSecret(
            try HKDF.deriveKey(
                from: Secret(copying: Array(value.utf8)),
                salt: [],
                info: Array("content of a scenario's file".utf8),
                byteCount: AESGCM.keyByteCount
            )
        )
    }

    /// Returns a nonce, followed by the sealed content.
    func seal(_ content: [UInt8]) throws(FileRefusal) -> [UInt8] {
        do throws(CryptographyError) {
            let nonce = try SystemRandomSource().bytes(AESGCM.nonceByteCount)
            return nonce
                + (try AESGCM.seal(content, key: key.secret, nonce: nonce, authenticating: []))
        } catch { throw .corrupt }
    }

    func open(_ sealed: [UInt8]) throws(FileRefusal) -> [UInt8] {
        do throws(CryptographyError) {
            return try AESGCM.open(
                sealed.dropFirst(AESGCM.nonceByteCount),
                key: key.secret,
                nonce: sealed.prefix(AESGCM.nonceByteCount),
                authenticating: []
            ).copyBytesUnprotected()
        } catch { throw .corrupt }
    }
}
