import Cryptography
import KeychainModel
import Secrets
import StoredKeys

/// The result of a call that returns bytes through the caller's buffer.
package enum Output: Sendable {
    /// The caller queried the size; the operation continues.
    case size(Int)
    /// The buffer is smaller than this size; the operation continues.
    case tooSmall(Int)
    case bytes(SharedSecret)

    /// Returns the bytes if they fit the buffer.
    package static func delivering(_ bytes: SharedSecret, capacity: Int?) -> Output {
        guard let capacity else { return .size(bytes.secret.byteCount) }
        let byteCount = bytes.secret.byteCount
        return byteCount <= capacity ? .bytes(bytes) : .tooSmall(byteCount)
    }
}

/// The kinds of operation; a session has at most one of each.
package enum OperationKind: Sendable, Hashable, CaseIterable {
    case encrypt, decrypt, digest, sign, verify
}

// States   begun ─update─▸ updated ─final─▸ over
//          begun ─whole message in one call─▸ over
//          A query of the size, and a buffer that is too small, change nothing.
//          Every error ends the operation.
// Invariant  An operation that continues holds no secret of its key. The private half is read for
//            the single computation at the end, so that a lock in between takes effect.

/// An operation that a session has begun.
struct Operation: Sendable {
    /// Reads the private half with a handle.
    typealias ReadKey = (UInt) throws(ReturnCode) -> StoredKey

    /// The key of an operation.
    enum Key: Sendable {
        /// The public half, which contains no secret.
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

    /// The computation.
    enum Work: Sendable {
        case digest
        /// A signature of the digest from `hash`, or of the input itself.
        case signature(Key, KeyScheme, signatureByteCount: Int)
        case encryption(Key, KeyScheme, blockByteCount: Int)
        /// A cipher with a secret key of the session, by its handle.
        case cipher(UInt, CipherWork)
        case code(UInt, byteCount: Int)
    }

    /// The greatest input that is kept until the end, in bytes, if no hash consumes it.
    static let bufferLimit = 1 << 20

    private(set) var work: Work
    private var hash: RunningHash?
    private var code: RunningMessageCode?
    private let hashByteCount: Int
    private var buffer: [UInt8] = []
    private(set) var isUpdated = false
    /// Plaintext that waits for a larger buffer.
    var pending: SharedSecret?
    /// Whether the operation needs the passcode before its end.
    var needsPasscode = false

    init(_ work: Work, hash: HashFunctionName?) throws(ReturnCode) {
        self.work = work
        hashByteCount = hash?.byteCount ?? 0
        if let hash { self.hash = try fromCryptography(try RunningHash(hash)) }
    }

    /// Makes an authentication code under a secret key, which has this handle.
    init(code hash: HashFunctionName, _ handle: UInt, key: SharedSecret) throws(ReturnCode) {
        work = .code(handle, byteCount: hash.byteCount)
        hashByteCount = 0
        code = try fromCryptography(try RunningMessageCode(hash, key: key.secret))
    }

    /// The size of the result, in bytes.
    var outputByteCount: Int {
        switch work {
        case .digest: hashByteCount
        case .signature(_, _, let byteCount): byteCount
        case .encryption(_, _, let byteCount): byteCount
        case .cipher(_, let cipher): cipher.wholeByteCount(0)
        case .code(_, let byteCount): byteCount
        }
    }

    /// The handle of the private half or secret key that the operation needs until its end.
    var secretKey: UInt? {
        switch work {
        case .signature(.privateHalf(let handle), _, _): handle
        case .encryption(.privateHalf(let handle), _, _): handle
        case .cipher(let handle, _), .code(let handle, _): handle
        case .digest, .signature, .encryption: nil
        }
    }

    /// Whether the operation uses a cipher with a secret key.
    var isCipher: Bool {
        if case .cipher = work { true } else { false }
    }

    /// Adds a part of the input.
    ///
    /// - Throws: `dataLengthRange` if the input is too large.
    mutating func update(_ part: UnsafeRawBufferPointer) throws(ReturnCode) {
        try take(part)
        isUpdated = true
    }

    /// Adds the whole input, for a call that needs no other.
    ///
    /// - Throws: `dataLengthRange` if the input is too large.
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

    /// Returns the digest of the input, or the input itself.
    private func input() throws(ReturnCode) -> [UInt8] {
        guard let hash else { return buffer }
        return try fromCryptography(try hash.hash())
    }

    /// Returns the digest or the signature.
    ///
    /// - Throws: `dataLengthRange` for input that the scheme rejects; the reason why the key is
    ///   unreadable.
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

    /// Verifies a signature.
    ///
    /// - Throws: `signatureLengthRange` for a signature of the wrong size, `signatureInvalid`.
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

    /// Converts a scheme's error.
    ///
    /// The key was checked earlier, so only the input's size can be wrong.
    private static func code(_ error: KeychainError) -> ReturnCode {
        error.status == .param ? .dataLengthRange : ReturnCode(error)
    }

    /// Encrypts or decrypts one block.
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

    /// Runs `body` with the operation's cipher, and stores the cipher's new state.
    ///
    /// - Throws: `functionNotSupported` for a mechanism that takes one block.
    mutating func withCipher<R: ~Copyable>(
        _ body: (inout CipherWork) throws(ReturnCode) -> R
    ) throws(ReturnCode) -> R {
        guard case .cipher(let handle, var cipher) = work else { throw .functionNotSupported }
        let result = try body(&cipher)
        work = .cipher(handle, cipher)
        return result
    }

    /// Records that a part was added.
    mutating func noteUpdate() { isUpdated = true }
}
