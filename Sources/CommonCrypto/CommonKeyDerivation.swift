import Cryptography
import Glibc

/// The derivation of a key from a password: `kCCPBKDF2`.
public typealias CCPBKDFAlgorithm = UInt32
/// The function that hashes a password, such as `kCCPRFHmacAlgSHA256`.
public typealias CCPseudoRandomAlgorithm = UInt32

/// PBKDF2 (RFC 8018).
public let kCCPBKDF2 = 2
/// HMAC with SHA-1.
public let kCCPRFHmacAlgSHA1 = 1
/// HMAC with SHA-224.
public let kCCPRFHmacAlgSHA224 = 2
/// HMAC with SHA-256.
public let kCCPRFHmacAlgSHA256 = 3
/// HMAC with SHA-384.
public let kCCPRFHmacAlgSHA384 = 4
/// HMAC with SHA-512.
public let kCCPRFHmacAlgSHA512 = 5

/// Derives a key from a password.
///
/// - Parameters:
///   - algorithm: `kCCPBKDF2`.
///   - password: the bytes of the password.
///   - passwordLen: the number of bytes of the password.
///   - salt: the bytes of the salt.
///   - saltLen: the number of bytes of the salt; may be 0.
///   - prf: the hash function.
///   - rounds: the number of rounds, at least 1.
///   - derivedKey: memory for the key.
///   - derivedKeyLen: the size of the key in bytes, at least 1.
/// - Returns: `kCCSuccess`; `kCCParamError` for any other argument; `kCCUnspecifiedError` if
///   libcrypto fails.
/// - Source: RFC 8018, section 5.2; the comments of Apple's CommonKeyDerivation.h.
@discardableResult
public func CCKeyDerivationPBKDF(
    _ algorithm: CCPBKDFAlgorithm,
    _ password: UnsafePointer<CChar>!,
    _ passwordLen: Int,
    _ salt: UnsafePointer<UInt8>!,
    _ saltLen: Int,
    _ prf: CCPseudoRandomAlgorithm,
    _ rounds: UInt32,
    _ derivedKey: UnsafeMutablePointer<UInt8>!,
    _ derivedKeyLen: Int
) -> Int32 {
    guard algorithm == kCCPBKDF2, let hash = hashAlgorithm(prf), rounds > 0,
        let derivedKey, derivedKeyLen > 0, passwordLen >= 0, saltLen >= 0,
        password != nil || passwordLen == 0, salt != nil || saltLen == 0
    else { return Int32(kCCParamError) }
    do throws(CryptographyError) {
        try PBKDF2.derive(
            UnsafeRawBufferPointer(start: password, count: passwordLen),
            salt: UnsafeRawBufferPointer(start: salt, count: saltLen),
            hash: hash,
            rounds: Int(rounds),
            into: UnsafeMutableRawBufferPointer(start: derivedKey, count: derivedKeyLen)
        )
        return Int32(kCCSuccess)
    } catch {
        return Int32(status(of: error))
    }
}

/// Returns the number of rounds that this machine computes for a password in a given time.
///
/// - Parameters:
///   - algorithm: `kCCPBKDF2`.
///   - passwordLen: the size of the password in bytes.
///   - saltLen: the size of the salt in bytes.
///   - prf: the hash function.
///   - derivedKeyLen: the size of the key in bytes.
///   - msec: the time in milliseconds; 0 counts as 100.
/// - Returns: the number of rounds, at least 10,000; `UInt32.max` for any other argument.
/// - Source: the comments of Apple's CommonKeyDerivation.h.
@discardableResult
public func CCCalibratePBKDF(
    _ algorithm: CCPBKDFAlgorithm,
    _ passwordLen: Int,
    _ saltLen: Int,
    _ prf: CCPseudoRandomAlgorithm,
    _ derivedKeyLen: Int,
    _ msec: UInt32
) -> UInt32 {
    let password = [CChar](repeating: 0x61, count: max(1, min(passwordLen, 1_024)))
    let salt = [UInt8](repeating: 0, count: max(1, min(saltLen, 1_024)))
    var key = [UInt8](repeating: 0, count: max(1, min(derivedKeyLen, 1_024)))
    let rounds: UInt32 = 10_000
    let start = processorTime()
    let status = CCKeyDerivationPBKDF(
        algorithm,
        password,
        password.count,
        salt,
        salt.count,
        prf,
        rounds,
        &key,
        key.count
    )
    guard status == kCCSuccess else { return .max }
    let milliseconds = max(0.001, (processorTime() - start) * 1_000)
    let wanted = Double(msec == 0 ? 100 : msec)
    return UInt32(min(Double(Int32.max), max(10_000, Double(rounds) * wanted / milliseconds)))
}

private func hashAlgorithm(_ prf: CCPseudoRandomAlgorithm) -> HashAlgorithm? {
    switch Int(prf) {
    case kCCPRFHmacAlgSHA1: .sha1
    case kCCPRFHmacAlgSHA224: .sha224
    case kCCPRFHmacAlgSHA256: .sha256
    case kCCPRFHmacAlgSHA384: .sha384
    case kCCPRFHmacAlgSHA512: .sha512
    default: nil
    }
}

/// Returns the processor time of this thread, in seconds.
private func processorTime() -> Double {
    var time = timespec()
    guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return 0 }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
}
