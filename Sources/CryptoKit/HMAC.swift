import Cryptography
public import Foundation
import Secrets

/// A code that authenticates a message.
public protocol MessageAuthenticationCode: Hashable, ContiguousBytes, CustomStringConvertible,
    Sequence, Sendable
where Element == UInt8 {
    /// The size in bytes.
    var byteCount: Int { get }
}

/// A code of ``HMAC``.
public struct HashedAuthenticationCode<H: HashFunction>: MessageAuthenticationCode {
    let bytes: ConstantTimeBytes

    /// The size in bytes.
    public var byteCount: Int { bytes.array.count }

    /// Calls a closure with the bytes.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try bytes.array.withUnsafeBytes(body)
    }

    /// Returns an iterator over the bytes.
    public func makeIterator() -> IndexingIterator<[UInt8]> { bytes.array.makeIterator() }

    /// Compares in constant time with bytes.
    public static func == (left: Self, right: some DataProtocol) -> Bool {
        constantTimeEquals(left.bytes.array, [UInt8](right))
    }

    /// The name of the function, and the bytes in hexadecimal.
    public var description: String { "HMAC with \(H.self): " + hexadecimal(self) }
}

/// Authentication of messages under a key (RFC 2104), with a hash function of this module.
///
/// ```swift
/// let code = HMAC<SHA256>.authenticationCode(for: message, using: key)
/// ```
public struct HMAC<H: HashFunction>: Sendable {
    /// The type of its keys.
    public typealias Key = SymmetricKey
    /// The type of its codes.
    public typealias MAC = HashedAuthenticationCode<H>

    private var state: RunningMessageCode

    /// Starts an empty message.
    public init(key: SymmetricKey) {
        state = certain { () throws(CryptographyError) in
            try RunningMessageCode(H.named, key: key.bytes.secret)
        }
    }

    /// Appends data to the message, without keeping a copy of it.
    public mutating func update(data: some DataProtocol) {
        for region in data.regions { region.withUnsafeBytes { append($0) } }
    }

    /// Returns the code of the message so far.
    public func finalize() -> MAC {
        MAC(
            bytes: ConstantTimeBytes(
                array: certain { () throws(CryptographyError) in try state.code() }
            )
        )
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer) {
        certain { () throws(CryptographyError) in try state.update(bytes) }
    }

    /// Computes the code of a message.
    public static func authenticationCode(
        for data: some DataProtocol,
        using key: SymmetricKey
    ) -> MAC {
        var function = Self(key: key)
        function.update(data: data)
        return function.finalize()
    }

    /// Returns whether a code belongs to a message; compares in constant time.
    public static func isValidAuthenticationCode(
        _ authenticationCode: some ContiguousBytes,
        authenticating authenticatedData: some DataProtocol,
        using key: SymmetricKey
    ) -> Bool {
        let expected = Self.authenticationCode(for: authenticatedData, using: key)
        return authenticationCode.withUnsafeBytes { code in
            isEqualInConstantTime(code, expected.bytes.array)
        }
    }
}

/// Derivation of keys from a key (RFC 5869), with a hash function of this module.
public struct HKDF<H: HashFunction>: Sendable {
    /// Derives a key.
    ///
    /// - Parameters:
    ///   - inputKeyMaterial: the key.
    ///   - salt: any bytes.
    ///   - info: the purpose of the result.
    ///   - outputByteCount: the size, 1 to 255 hashes; any other stops the program.
    /// - Returns: the derived key.
    public static func deriveKey(
        inputKeyMaterial: SymmetricKey,
        salt: some DataProtocol = Data(),
        info: some DataProtocol = Data(),
        outputByteCount: Int
    ) -> SymmetricKey {
        let key = pseudoRandomKey(inputKeyMaterial, salt)
        return derived(key, info, outputByteCount)
    }

    /// Computes the first step: a pseudorandom key from key and salt, in memory that is not
    /// wiped.
    public static func extract(
        inputKeyMaterial: SymmetricKey,
        salt: some DataProtocol
    ) -> HashedAuthenticationCode<H> {
        let key = pseudoRandomKey(inputKeyMaterial, salt)
        return HashedAuthenticationCode(
            bytes: ConstantTimeBytes(array: key.copyBytesUnprotected())
        )
    }

    /// Computes the second step: a key from a pseudorandom key.
    public static func expand(
        pseudoRandomKey: some ContiguousBytes,
        info: some DataProtocol = Data(),
        outputByteCount: Int
    ) -> SymmetricKey {
        derived(SymmetricKey(data: pseudoRandomKey).bytes.secret, info, outputByteCount)
    }

    private static func pseudoRandomKey(
        _ key: SymmetricKey,
        _ salt: some DataProtocol
    ) -> Secret {
        certain { () throws(CryptographyError) in
            try MessageCode.code(
                of: key.bytes.secret,
                key: Secret(copying: salt),
                H.named
            )
        }
    }

    private static func derived(
        _ key: borrowing Secret,
        _ info: some DataProtocol,
        _ byteCount: Int
    ) -> SymmetricKey {
        do throws(CryptographyError) {
            let info = [UInt8](info)
            return SymmetricKey(
                try MessageCode.expand(key, info: info, byteCount: byteCount, H.named)
            )
        } catch { preconditionFailure("No key can be derived: \(error)") }
    }
}
