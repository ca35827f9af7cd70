import Cryptography

/// The reason why a function of this module fails.
public enum CryptoKitError: Error, Equatable {
    /// A key has the wrong size.
    case incorrectKeySize
    /// Another argument has the wrong size or value.
    case incorrectParameterSize
    /// Sealed data, its key or its nonce is not the original one.
    case authenticationFailure
    /// libcrypto failed, which does not happen on a working machine.
    case underlyingCoreCryptoError(error: Int32)
    /// A key could not be wrapped.
    case wrapFailure
    /// A key could not be unwrapped.
    case unwrapFailure
    /// An argument is not valid.
    case invalidParameter
}

/// The reason why a key or a signature cannot be read.
public enum CryptoKitASN1Error: Error, Equatable {
    /// The bytes are not the expected DER.
    case invalidASN1Object
    /// The text is not PEM with the right label.
    case invalidPEMDocument
}

extension CryptoKitError {
    /// Runs an operation, and converts its error to one of CryptoKit.
    static func reporting<Value>(
        _ body: () throws(CryptographyError) -> Value
    ) throws(CryptoKitError) -> Value {
        do throws(CryptographyError) { return try body() } catch {
            switch error {
            case .authenticationFailed: throw .authenticationFailure
            case .invalidKeySize: throw .incorrectKeySize
            case .invalidInput: throw .incorrectParameterSize
            case .backend: throw .underlyingCoreCryptoError(error: -1)
            }
        }
    }
}

/// Runs an operation that fails only if memory is short or libcrypto lacks an algorithm.
func certain<Value: ~Copyable>(
    _ body: () throws(CryptographyError) -> Value
) -> Value {
    do throws(CryptographyError) { return try body() } catch {
        preconditionFailure("libcrypto failed: \(error)")
    }
}
