import Cryptography
public import Foundation
import Secrets

/// The secret on which two keys agree; derive keys from it.
public struct SharedSecret: ContiguousBytes, Sendable {
    private let bytes: Secrets.SharedSecret

    init(_ bytes: Secrets.SharedSecret) { self.bytes = bytes }

    init(of key: Cryptography.PrivateKey, with peer: Cryptography.PublicKey) throws {
        bytes = try CryptoKitError.reporting { () throws(CryptographyError) in
            Secrets.SharedSecret(try key.sharedSecret(with: peer))
        }
    }

    /// Calls a closure with the bytes, which are valid during the call.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try bytes.secret.withUnsafeBytes { try body($0) }
    }

    /// Derives a key with HKDF (RFC 5869).
    ///
    /// - Parameters:
    ///   - hashFunction: the hash function, such as `SHA256.self`.
    ///   - salt: any bytes.
    ///   - sharedInfo: bytes that both sides know.
    ///   - outputByteCount: the size, 1 to 255 hashes; any other stops the program.
    /// - Returns: the key.
    public func hkdfDerivedSymmetricKey<H: HashFunction>(
        using hashFunction: H.Type,
        salt: some DataProtocol,
        sharedInfo: some DataProtocol,
        outputByteCount: Int
    ) -> SymmetricKey {
        HKDF<H>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: self),
            salt: salt,
            info: sharedInfo,
            outputByteCount: outputByteCount
        )
    }

    /// Derives a key with the derivation function of X9.63, for SHA-1 and SHA-2.
    ///
    /// - Parameters:
    ///   - hashFunction: the hash function, such as `SHA256.self`.
    ///   - sharedInfo: bytes that both sides know.
    ///   - outputByteCount: the size, 1 byte to 1 MiB; any other stops the program.
    /// - Returns: the key.
    public func x963DerivedSymmetricKey<H: HashFunction>(
        using hashFunction: H.Type,
        sharedInfo: some DataProtocol,
        outputByteCount: Int
    ) -> SymmetricKey {
        do throws(CryptographyError) {
            return SymmetricKey(
                try X963KDF.deriveKey(
                    from: bytes.secret,
                    sharedInfo: [UInt8](sharedInfo),
                    byteCount: outputByteCount,
                    hash: hashFunction.named.forKeyDerivation()
                )
            )
        } catch { preconditionFailure("No key can be derived: \(error)") }
    }
}

extension HashFunctionName {
    /// Returns the function in the form for the derivation.
    fileprivate func forKeyDerivation() throws(CryptographyError) -> HashAlgorithm {
        switch self {
        case .md5: throw .invalidInput("MD5 derives no keys")
        case .sha1: .sha1
        case .sha256: .sha256
        case .sha384: .sha384
        case .sha512: .sha512
        }
    }
}

extension SharedSecret: Equatable {
    /// Compares in constant time.
    public static func == (left: Self, right: Self) -> Bool {
        left.bytes.secret.constantTimeEquals(right.bytes.secret)
    }
}
