import Cryptography
import KeychainModel
import Secrets
import StoredKeys

/// What a call returns through a buffer of the caller.
package enum Output: Sendable {
    /// The caller asked for the size; the operation goes on.
    case size(Int)
    /// The buffer has less room than this; the operation goes on.
    case tooSmall(Int)
    case bytes(SharedSecret)

    /// Gives out bytes if the room is enough.
    package static func delivering(_ bytes: SharedSecret, capacity: Int?) -> Output {
        guard let capacity else { return .size(bytes.secret.byteCount) }
        let byteCount = bytes.secret.byteCount
        return byteCount <= capacity ? .bytes(bytes) : .tooSmall(byteCount)
    }
}

/// The operations of which a session has at most one each.
package enum OperationKind: Sendable, Hashable, CaseIterable {
    case encrypt, decrypt, digest, sign, verify
}

// States   begun ─update─▸ updated ─final─▸ over
//          begun ─whole message in one call─▸ over
//          A question for the size, and a buffer that is too small, change nothing.
//          Every error ends the operation.
// Invariant  An operation that goes on holds nothing secret of its key: the private half is read
//            for the one computation that ends it, so that a lock in between is a lock.

/// An operation that was begun in a session.
struct Operation: Sendable {
    /// Reads the private half that a handle names.
    typealias ReadKey = (UInt) throws(ReturnCode) -> StoredKey

    /// The key of an operation.
    enum Key: Sendable {
        /// The public half, in which nothing is secret.
        case publicHalf(StoredKey)
        /// The handle of the private half.
        case privateHalf(UInt)

        func ready(_ read: ReadKey) throws(ReturnCode) -> StoredKey {
            switch self {
            case .publicHalf(let key): key
            case .privateHalf(let handle): try read(handle)
            }
        }
    }

    /// What happens to the input.
    enum Work: Sendable {
        case digest
        /// The scheme takes the digest that `hash` makes, or the input itself.
        case signature(Key, KeyScheme, signatureByteCount: Int)
        case encryption(Key, KeyScheme, blockByteCount: Int)
        /// With a secret key of the session, by its handle.
        case cipher(UInt, CipherWork)
        case code(UInt, byteCount: Int)
    }

    /// The most bytes that are kept until the end, where no hash takes them.
    static let bufferLimit = 1 << 20

    private(set) var work: Work
    private var hash: RunningHash?
    private var code: RunningMessageCode?
    private let hashByteCount: Int
    private var buffer: [UInt8] = []
    private(set) var isUpdated = false
    /// Plaintext that waits for a larger buffer.
    var pending: SharedSecret?
    /// Whether the passcode has to be given before it ends.
    var needsPasscode = false

    init(_ work: Work, hash: HashFunctionName?) throws(ReturnCode) {
        self.work = work
        hashByteCount = hash?.byteCount ?? 0
        if let hash { self.hash = try fromCryptography(try RunningHash(hash)) }
    }

    /// A code under a secret key, by its handle.
    init(code hash: HashFunctionName, _ handle: UInt, key: SharedSecret) throws(ReturnCode) {
        work = .code(handle, byteCount: hash.byteCount)
        hashByteCount = 0
        code = try fromCryptography(try RunningMessageCode(hash, key: key.secret))
    }

    /// The size of what the operation returns at its end.
    var outputByteCount: Int {
        switch work {
        case .digest: hashByteCount
        case .signature(_, _, let byteCount): byteCount
        case .encryption(_, _, let byteCount): byteCount
        case .cipher(_, let cipher): cipher.wholeByteCount(0)
        case .code(_, let byteCount): byteCount
        }
    }

    /// The handle of the private half, or of the secret key, that the operation needs to the end.
    var secretKey: UInt? {
        switch work {
        case .signature(.privateHalf(let handle), _, _): handle
        case .encryption(.privateHalf(let handle), _, _): handle
        case .cipher(let handle, _), .code(let handle, _): handle
        case .digest, .signature, .encryption: nil
        }
    }

    /// Whether it works with a cipher on a secret key.
    var isCipher: Bool {
        if case .cipher = work { true } else { false }
    }

    /// Takes a part of the input.
    ///
    /// - Throws: `dataLengthRange` for more than is kept.
    mutating func update(_ part: UnsafeRawBufferPointer) throws(ReturnCode) {
        try take(part)
        isUpdated = true
    }

    /// Takes the whole input of a call that is the only one.
    ///
    /// - Throws: `dataLengthRange` for more than is kept.
    mutating func take(_ part: UnsafeRawBufferPointer) throws(ReturnCode) {
        guard hash == nil, code == nil else {
            do throws(CryptographyError) {
                try hash?.update(part)
                try code?.update(part)
            } catch {
                throw ReturnCode(error)
            }
            return
        }
        guard part.count <= Self.bufferLimit - buffer.count else { throw .dataLengthRange }
        buffer.append(contentsOf: part)
    }

    /// The digest of the input, or the input.
    private func input() throws(ReturnCode) -> [UInt8] {
        guard let hash else { return buffer }
        return try fromCryptography(try hash.hash())
    }

    /// The digest or the signature.
    ///
    /// - Throws: `dataLengthRange` for input that the scheme does not take; why the key cannot be
    ///   read.
    func finish(_ read: ReadKey) throws(ReturnCode) -> SharedSecret {
        let input = try input()
        switch work {
        case .digest: return SharedSecret(Secret(copying: input))
        case .signature(let half, let scheme, _):
            let key = try half.ready(read)
            do throws(KeychainError) { return try key.sign(input, with: scheme) } catch {
                throw Self.code(error)
            }
        case .code:
            guard let code else { throw .functionFailed }
            return SharedSecret(Secret(copying: try fromCryptography(try code.code())))
        case .encryption, .cipher: throw .functionFailed
        }
    }

    /// Whether the signature is right.
    ///
    /// - Throws: `signatureLengthRange` for one of another size, `signatureInvalid`.
    func verify(_ signature: [UInt8]) throws(ReturnCode) {
        if case .code(_, let byteCount) = work {
            guard signature.count == byteCount else { throw .signatureLengthRange }
            let own = try finish { _ throws(ReturnCode) in throw .keyHandleInvalid }
            guard own.secret.constantTimeEquals(Secret(copying: signature)) else {
                throw .signatureInvalid
            }
            return
        }
        guard case .signature(.publicHalf(let key), let scheme, let byteCount) = work else {
            throw .functionFailed
        }
        guard signature.count == byteCount else { throw .signatureLengthRange }
        let input = try input()
        let isValid: Bool
        do throws(KeychainError) {
            isValid = try key.isValidSignature(signature, for: input, with: scheme)
        } catch {
            throw Self.code(error)
        }
        guard isValid else { throw .signatureInvalid }
    }

    /// A scheme refuses input by its size; the key was looked at before.
    private static func code(_ error: KeychainError) -> ReturnCode {
        error.status == .param ? .dataLengthRange : ReturnCode(error)
    }

    /// What encryption or decryption makes of a block.
    func transform(decrypts: Bool, _ read: ReadKey) throws(ReturnCode) -> SharedSecret {
        guard case .encryption(let half, let scheme, let byteCount) = work else {
            throw .functionFailed
        }
        let key = try half.ready(read)
        do throws(KeychainError) {
            guard decrypts else {
                let plaintext = Secret(copying: buffer)
                return SharedSecret(Secret(copying: try key.encrypt(plaintext, with: scheme)))
            }
            return try key.decrypt(buffer, with: scheme)
        } catch {
            guard error.status == .param else { throw ReturnCode(error) }
            guard decrypts else { throw .dataLengthRange }
            throw buffer.count == byteCount ? .encryptedDataInvalid : .encryptedDataLengthRange
        }
    }

    /// The cipher of the operation, and what became of it.
    ///
    /// - Throws: `functionNotSupported` for a mechanism that takes its block at once.
    mutating func withCipher<R: ~Copyable>(
        _ body: (inout CipherWork) throws(ReturnCode) -> R
    ) throws(ReturnCode) -> R {
        guard case .cipher(let handle, var cipher) = work else { throw .functionNotSupported }
        let result = try body(&cipher)
        work = .cipher(handle, cipher)
        return result
    }

    /// Notes that a part has come.
    mutating func noteUpdate() { isUpdated = true }
}
