// ★ Table: the return code for each status of the keychain.

import Cryptography
import KeychainModel

extension ReturnCode {
    private static let statuses: [SecurityStatus: ReturnCode] = [
        .param: .attributeValueInvalid,
        .decode: .deviceError,
        .duplicateItem: .attributeValueInvalid,
        .itemNotFound: .objectHandleInvalid,
        .invalidItemRef: .objectHandleInvalid,
        .interactionNotAllowed: .userNotLoggedIn,
        .authFailed: .userNotLoggedIn,
        .userCanceled: .functionCanceled,
        .missingEntitlement: .deviceError,
        .dataTooLarge: .deviceMemory,
        .diskFull: .deviceMemory,
        .allocate: .hostMemory,
        .notAvailable: .deviceError,
        .readOnly: .attributeReadOnly,
        .noSuchAttribute: .attributeTypeInvalid,
        .keyIsSensitive: .attributeSensitive,
        .unimplemented: .functionNotSupported,
    ]

    /// Converts the keychain's error to a return code.
    ///
    /// - Source: Documentation/Spec/pkcs11.md §7.
    package init(_ error: KeychainError) {
        self = Self.statuses[error.status] ?? .deviceError
    }

    init(_ error: CryptographyError) {
        switch error {
        case .authenticationFailed: self = .encryptedDataInvalid
        case .invalidKeySize, .invalidInput: self = .attributeValueInvalid
        case .backend: self = .functionFailed
        }
    }
}

/// Runs work of the keychain, and converts its error to a return code.
func fromKeychain<R: ~Copyable>(
    _ work: @autoclosure () throws(KeychainError) -> R
) throws(ReturnCode) -> R {
    do throws(KeychainError) { return try work() } catch { throw ReturnCode(error) }
}

/// Runs cryptographic work, and converts its error to a return code.
func fromCryptography<R: ~Copyable>(
    _ work: @autoclosure () throws(CryptographyError) -> R
) throws(ReturnCode) -> R {
    do throws(CryptographyError) { return try work() } catch { throw ReturnCode(error) }
}
