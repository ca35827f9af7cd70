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
    static func delivering(_ bytes: SharedSecret, capacity: Int?) -> Output {
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
    }

    /// The most bytes that are kept until the end, where no hash takes them.
    static let bufferLimit = 1 << 20

    let work: Work
    private var hash: RunningHash?
    private let hashByteCount: Int
    private var buffer: [UInt8] = []
    private(set) var isUpdated = false
    /// Plaintext that waits for a larger buffer.
    var pending: SharedSecret?

    init(_ work: Work, hash: HashFunctionName?) throws(ReturnCode) {
        self.work = work
        hashByteCount = hash?.byteCount ?? 0
        if let hash { self.hash = try fromCryptography(try RunningHash(hash)) }
    }

    /// The size of what the operation returns at its end.
    var outputByteCount: Int {
        switch work {
        case .digest: hashByteCount
        case .signature(_, _, let byteCount): byteCount
        case .encryption(_, _, let byteCount): byteCount
        }
    }

    /// The handle of the private half that the operation ends with.
    var privateKey: UInt? {
        switch work {
        case .signature(.privateHalf(let handle), _, _): handle
        case .encryption(.privateHalf(let handle), _, _): handle
        case .digest, .signature, .encryption: nil
        }
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
        guard hash == nil else {
            do throws(CryptographyError) { try hash?.update(part) } catch {
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
        case .encryption: throw .functionFailed
        }
    }

    /// Whether the signature is right.
    ///
    /// - Throws: `signatureLengthRange` for one of another size, `signatureInvalid`.
    func verify(_ signature: [UInt8]) throws(ReturnCode) {
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
}
