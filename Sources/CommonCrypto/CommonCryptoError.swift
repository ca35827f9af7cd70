import Cryptography

/// The status of a call, such as `kCCSuccess`.
public typealias CCCryptorStatus = Int32
/// The status of a call, such as `kCCSuccess`.
public typealias CCStatus = Int32
/// The status of a source of random bytes.
public typealias CCRNGStatus = CCCryptorStatus

/// The call succeeded.
public let kCCSuccess = 0
/// An argument is wrong.
public let kCCParamError = -4300
/// The memory for the result is too small.
public let kCCBufferTooSmall = -4301
/// There is no memory.
public let kCCMemoryFailure = -4302
/// The message does not consist of whole blocks.
public let kCCAlignmentError = -4303
/// The message cannot be decoded.
public let kCCDecodeError = -4304
/// There is no such algorithm or mode.
public let kCCUnimplemented = -4305
/// A number is too large.
public let kCCOverflow = -4306
/// The system has no random bytes.
public let kCCRNGFailure = -4307
/// Another failure.
public let kCCUnspecifiedError = -4308
/// Calls are in the wrong order.
public let kCCCallSequenceError = -4309
/// The key has the wrong size.
public let kCCKeySizeError = -4310
/// The key is wrong.
public let kCCInvalidKey = -4311

/// Returns the status of a failure.
func status(of error: CryptographyError) -> Int {
    switch error {
    case .invalidInput: kCCParamError
    case .invalidKeySize: kCCKeySizeError
    case .authenticationFailed: kCCDecodeError
    case .backend: kCCUnspecifiedError
    }
}
