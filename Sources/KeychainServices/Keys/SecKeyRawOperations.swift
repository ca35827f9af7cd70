import CoreFoundation
import KeychainModel

// The key functions that preceded SecKeyAlgorithm and write to the caller's memory.
//
// Source: Apple's source, SecKey.c (Security-61901): -50 for a padding that the key does not
// support and for memory that is too small; -9809 for a wrong signature.

/// A status for a failed cryptographic operation.
///
/// ``SecKeyRawVerify(_:_:_:_:_:_:)`` returns it for a wrong signature.
public let errSSLCrypto: OSStatus = -9809

/// Signs a digest with a private key.
///
/// - Parameters:
///   - key: the private half.
///   - padding: the padding of the digest.
///   - dataToSign: the digest.
///   - dataToSignLen: the size of the digest in bytes.
///   - sig: receives the signature.
///   - sigLen: the size of that memory in bytes; receives the size of the signature.
/// - Returns: `errSecSuccess`; `errSecParam` if the key does not support the padding, the digest
///   has the wrong size, or the memory is too small.
/// - Source: Apple's source, SecKey.c (Security-61901).
@available(*, deprecated, message: "Use SecKeyCreateSignature")
@discardableResult
public func SecKeyRawSign(
    _ key: SecKey,
    _ padding: SecPadding,
    _ dataToSign: UnsafePointer<UInt8>,
    _ dataToSignLen: Int,
    _ sig: UnsafeMutablePointer<UInt8>,
    _ sigLen: UnsafeMutablePointer<Int>
) -> OSStatus {
    let algorithm = padding.signature(by: key, digestByteCount: dataToSignLen)
    let block = RawBlock(dataToSign, dataToSignLen, sig, sigLen)
    return block.write(algorithm) { algorithm, input throws(KeychainError) in
        try key.signature(of: input, by: algorithm)
    }
}

/// Checks a signature over a digest.
///
/// - Parameters:
///   - key: the public half.
///   - padding: the padding of the digest.
///   - signedData: the digest.
///   - signedDataLen: the size of the digest in bytes.
///   - sig: the signature.
///   - sigLen: the size of the signature in bytes.
/// - Returns: `errSecSuccess`; `errSSLCrypto` for a wrong signature; `errSecParam` if the key does
///   not support the padding.
/// - Source: Apple's source, SecKey.c (Security-61901).
@available(*, deprecated, message: "Use SecKeyVerifySignature")
@discardableResult
public func SecKeyRawVerify(
    _ key: SecKey,
    _ padding: SecPadding,
    _ signedData: UnsafePointer<UInt8>,
    _ signedDataLen: Int,
    _ sig: UnsafePointer<UInt8>,
    _ sigLen: Int
) -> OSStatus {
    guard signedDataLen >= 0, sigLen >= 0,
        let algorithm = padding.signature(by: key, digestByteCount: signedDataLen)
    else { return errSecParam }
    do throws(KeychainError) {
        let signature = NSData(sig, sigLen)
        try key.verify(signature, of: NSData(signedData, signedDataLen), by: algorithm)
        return errSecSuccess
    } catch {
        return error.status == .verifyFailed ? errSSLCrypto : error.status.rawValue
    }
}

/// Encrypts a block for the owner of the private key.
///
/// - Parameters:
///   - key: the public half.
///   - padding: the padding of the block. Without padding, the block has the size of the modulus.
///   - plainText: the block.
///   - plainTextLen: the size of the block in bytes.
///   - cipherText: receives the encrypted block.
///   - cipherTextLen: the size of that memory in bytes; receives the size of the encrypted block.
/// - Returns: `errSecSuccess`; `errSecParam` if the key does not support the padding, the block is
///   too large, or the memory is too small.
/// - Source: Apple's source, SecKey.c (Security-61901).
@available(*, deprecated, message: "Use SecKeyCreateEncryptedData")
@discardableResult
public func SecKeyEncrypt(
    _ key: SecKey,
    _ padding: SecPadding,
    _ plainText: UnsafePointer<UInt8>,
    _ plainTextLen: Int,
    _ cipherText: UnsafeMutablePointer<UInt8>,
    _ cipherTextLen: UnsafeMutablePointer<Int>
) -> OSStatus {
    let block = RawBlock(plainText, plainTextLen, cipherText, cipherTextLen)
    return block.write(padding.encryption(by: key)) { algorithm, input throws(KeychainError) in
        try key.encrypted(input, by: algorithm)
    }
}

/// Decrypts a block with a private key.
///
/// - Parameters:
///   - key: the private half.
///   - padding: the padding of the block. Without padding, the call drops leading zeros.
///   - cipherText: the encrypted block.
///   - cipherTextLen: the size of the encrypted block in bytes.
///   - plainText: receives the block.
///   - plainTextLen: the size of that memory in bytes; receives the size of the block.
/// - Returns: `errSecSuccess`; `errSecParam` if the key does not support the padding, the encrypted
///   block is wrong in any way, or the memory is too small.
/// - Source: Apple's source, SecKey.c (Security-61901).
@available(*, deprecated, message: "Use SecKeyCreateDecryptedData")
@discardableResult
public func SecKeyDecrypt(
    _ key: SecKey,
    _ padding: SecPadding,
    _ cipherText: UnsafePointer<UInt8>,
    _ cipherTextLen: Int,
    _ plainText: UnsafeMutablePointer<UInt8>,
    _ plainTextLen: UnsafeMutablePointer<Int>
) -> OSStatus {
    let block = RawBlock(cipherText, cipherTextLen, plainText, plainTextLen)
    return block.write(padding.encryption(by: key)) { algorithm, input throws(KeychainError) in
        let plain = try key.decrypted(input, by: algorithm)
        return algorithm == .rsaEncryptionRaw ? plain.withoutLeadingZeros : plain
    }
}

/// The memory of a caller: the input of a raw function, and the place of its output.
private struct RawBlock {
    /// A use of a key.
    typealias Use = (SecKeyAlgorithm, CFData) throws(KeychainError) -> CFData

    /// The input; nil for a negative size.
    private let input: NSData?
    private let output: UnsafeMutablePointer<UInt8>
    private let outputByteCount: UnsafeMutablePointer<Int>

    init(
        _ input: UnsafePointer<UInt8>,
        _ inputByteCount: Int,
        _ output: UnsafeMutablePointer<UInt8>,
        _ outputByteCount: UnsafeMutablePointer<Int>
    ) {
        self.input = inputByteCount >= 0 ? NSData(input, inputByteCount) : nil
        self.output = output
        self.outputByteCount = outputByteCount
    }

    /// Writes the result of a use; fails if there is no algorithm for the padding.
    func write(_ algorithm: SecKeyAlgorithm?, _ use: Use) -> OSStatus {
        guard let input, let algorithm else { return errSecParam }
        do throws(KeychainError) {
            let made = try use(algorithm, input)
            guard made.length <= outputByteCount.pointee else { return errSecParam }
            made.getBytes(output, length: made.length)
            outputByteCount.pointee = made.length
            return errSecSuccess
        } catch {
            return error.status.rawValue
        }
    }
}

extension NSData {
    fileprivate convenience init(_ bytes: UnsafePointer<UInt8>, _ byteCount: Int) {
        self.init(bytes: bytes, length: byteCount)
    }

    fileprivate var withoutLeadingZeros: NSData {
        NSData(data: Data([UInt8](self as Data).drop { $0 == 0 }))
    }
}
