import Cryptography
import Secrets

// Invariants   (1) `update` returns as many bytes as `updateByteCount` announced.
//              (2) No part of a message leaves before its tag has been verified.

/// AES encryption with a secret key of a session, for a message in one or more parts.
struct CipherWork: Sendable {
    private enum Form: Sendable {
        case blocks(RunningCipher, pads: Bool)
        /// A counter mode, with the number of bytes before the counter repeats; nil for no limit.
        case counted(RunningCipher, left: Int?)
        case authenticated(SharedSecret, nonce: [UInt8], data: [UInt8], tagByteCount: Int)
    }

    private static let blockByteCount = RunningCipher.blockByteCount

    private var form: Form
    private let encrypts: Bool
    /// Bytes that wait for the rest of their block, or of their message.
    private var held: [UInt8] = []

    /// Prepares the encryption or decryption.
    ///
    /// - Throws: `mechanismInvalid`, `mechanismParameterInvalid`.
    init(
        _ mechanism: Mechanism,
        _ parameter: MechanismCall.Parameter,
        encrypts: Bool,
        key: SharedSecret
    ) throws(ReturnCode) {
        self.encrypts = encrypts
        switch (mechanism.form, parameter) {
        case (.cipher(.codebook, let pads), .none):
            form = .blocks(try Self.cipher(.codebook, encrypts, key, []), pads: pads)
        case (.cipher(.chained, let pads), .vector(let vector)):
            form = .blocks(try Self.cipher(.chained, encrypts, key, vector), pads: pads)
        case (.cipher(.counted, _), .counter(let bitCount, let block)):
            guard (1...128).contains(bitCount) else { throw .mechanismParameterInvalid }
            let left = Self.room(of: bitCount, from: block)
            form = .counted(try Self.cipher(.counted, encrypts, key, block), left: left)
        case (.authenticatedCipher, .authenticated(let nonce, let data, let bitCount)):
            guard bitCount % 8 == 0, (8...128).contains(bitCount), nonce.count >= 12 else {
                throw .mechanismParameterInvalid
            }
            form = .authenticated(
                key,
                nonce: nonce,
                data: data,
                tagByteCount: Int(bitCount / 8)
            )
        case (.cipher, _), (.authenticatedCipher, _): throw .mechanismParameterInvalid
        default: throw .mechanismInvalid
        }
    }

    private static func cipher(
        _ mode: RunningCipher.Mode,
        _ encrypts: Bool,
        _ key: SharedSecret,
        _ vector: [UInt8]
    ) throws(ReturnCode) -> RunningCipher {
        do throws(CryptographyError) {
            return try RunningCipher(mode, encrypts: encrypts, key: key.secret, vector: vector)
        } catch {
            if case .invalidInput = error { throw .mechanismParameterInvalid }
            throw ReturnCode(error)
        }
    }

    /// Returns the number of bytes before a counter with so many bits repeats.
    private static func room(of bitCount: UInt, from block: [UInt8]) -> Int? {
        guard bitCount < 48 else { return nil }
        let end = 1 << Int(bitCount)
        let number = block.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return (end - Int(number & UInt64(end - 1))) * blockByteCount
    }

    /// Returns the number of output bytes for a part of `count` bytes.
    func updateByteCount(_ count: Int) -> Int {
        let total = held.count + count
        switch form {
        case .counted: return count
        case .authenticated: return 0
        // The last block of a ciphertext may be padding.
        case .blocks(_, let pads) where pads && !encrypts:
            return max(total - 1, 0) / Self.blockByteCount * Self.blockByteCount
        case .blocks: return total / Self.blockByteCount * Self.blockByteCount
        }
    }

    /// Returns the greatest number of output bytes for a message of `count` bytes.
    func wholeByteCount(_ count: Int) -> Int {
        let total = held.count + count
        switch form {
        case .counted: return count
        case .authenticated(_, _, _, let tagByteCount):
            return encrypts ? total + tagByteCount : max(total - tagByteCount, 0)
        case .blocks(_, let pads) where pads && encrypts:
            return (total / Self.blockByteCount + 1) * Self.blockByteCount
        case .blocks: return total
        }
    }

    /// Adds a part of the message.
    ///
    /// - Throws: `dataLengthRange`, `encryptedDataLengthRange`.
    mutating func update(_ part: UnsafeRawBufferPointer) throws(ReturnCode) -> SharedSecret {
        switch form {
        case .counted(let cipher, let left):
            guard part.count <= left ?? .max else { throw lengthRange }
            form = .counted(cipher, left: left.map { $0 - part.count })
            return try fromCryptography(try cipher.process(part))
        case .authenticated:
            guard part.count <= Operation.bufferLimit - held.count else { throw lengthRange }
            held.append(contentsOf: part)
            return SharedSecret(Secret(copying: []))
        case .blocks(let cipher, _):
            let count = updateByteCount(part.count)
            held.append(contentsOf: part)
            defer { held.removeFirst(count) }
            return try held.withBytes { bytes throws(ReturnCode) in
                let whole = UnsafeRawBufferPointer(rebasing: bytes.prefix(count))
                return try fromCryptography(try cipher.process(whole))
            }
        }
    }

    /// Ends the message.
    ///
    /// - Throws: `dataLengthRange`, `encryptedDataLengthRange`, `encryptedDataInvalid`.
    mutating func finish() throws(ReturnCode) -> SharedSecret {
        switch form {
        case .counted: return SharedSecret(Secret(copying: []))
        case .blocks(let cipher, let pads):
            guard pads else {
                guard held.isEmpty else { throw lengthRange }
                return SharedSecret(Secret(copying: []))
            }
            return encrypts ? try padded(cipher) : try stripped(cipher)
        case .authenticated(let key, let nonce, let data, let tagByteCount):
            return encrypts
                ? try sealed(key, nonce, data, tagByteCount)
                : try opened(key, nonce, data, tagByteCount)
        }
    }

    /// Processes a whole message.
    ///
    /// - Throws: The errors of `finish`.
    mutating func whole(_ message: UnsafeRawBufferPointer) throws(ReturnCode) -> SharedSecret {
        if case .authenticated = form {
            held.append(contentsOf: message)
            return try finish()
        }
        let first = try update(message)
        let last = try finish()
        return SharedSecret(Secret(concatenating: first.secret, last.secret))
    }

    private var lengthRange: ReturnCode { encrypts ? .dataLengthRange : .encryptedDataLengthRange }

    private func padded(_ cipher: RunningCipher) throws(ReturnCode) -> SharedSecret {
        let missing = Self.blockByteCount - held.count
        let block = held + [UInt8](repeating: UInt8(missing), count: missing)
        return try block.withBytes { bytes throws(ReturnCode) in
            try fromCryptography(try cipher.process(bytes))
        }
    }

    private func stripped(_ cipher: RunningCipher) throws(ReturnCode) -> SharedSecret {
        guard held.count == Self.blockByteCount else { throw .encryptedDataLengthRange }
        let block = try held.withBytes { bytes throws(ReturnCode) in
            try fromCryptography(try cipher.process(bytes))
        }
        return try block.secret.withUnsafeBytes { bytes throws(ReturnCode) in
            let count = Int(bytes.last ?? 0)
            guard (1...Self.blockByteCount).contains(count),
                bytes.suffix(count).allSatisfy({ $0 == UInt8(count) })
            else { throw .encryptedDataInvalid }
            return SharedSecret(
                Secret(copying: UnsafeRawBufferPointer(rebasing: bytes.dropLast(count)))
            )
        }
    }

    private func sealed(
        _ key: SharedSecret,
        _ nonce: [UInt8],
        _ data: [UInt8],
        _ tagByteCount: Int
    ) throws(ReturnCode) -> SharedSecret {
        try held.withBytes { plaintext throws(ReturnCode) in
            let sealed = try fromCryptography(
                try AuthenticatedCipher.aesGCM.seal(
                    plaintext,
                    key: key.secret,
                    nonce: nonce,
                    authenticating: data,
                    tagByteCount: tagByteCount
                )
            )
            return SharedSecret(Secret(copying: sealed))
        }
    }

    private func opened(
        _ key: SharedSecret,
        _ nonce: [UInt8],
        _ data: [UInt8],
        _ tagByteCount: Int
    ) throws(ReturnCode) -> SharedSecret {
        guard held.count >= tagByteCount else { throw .encryptedDataLengthRange }
        let opened = try fromCryptography(
            try AuthenticatedCipher.aesGCM.open(
                Array(held.dropLast(tagByteCount)),
                tag: Array(held.suffix(tagByteCount)),
                key: key.secret,
                nonce: nonce,
                authenticating: data,
                tagByteCount: tagByteCount
            )
        )
        return SharedSecret(opened)
    }
}

extension [UInt8] {
    /// Lends the bytes for one call.
    func withBytes<R, E>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try withUnsafeBufferPointer { buffer throws(E) in
            try body(UnsafeRawBufferPointer(buffer))
        }
    }
}
