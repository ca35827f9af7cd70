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

    /// What a failure of the keychain is in the words of PKCS #11.
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

/// Does work of the keychain, and turns its error into a return code.
func fromKeychain<R: ~Copyable>(
    _ work: @autoclosure () throws(KeychainError) -> R
) throws(ReturnCode) -> R {
    do throws(KeychainError) { return try work() } catch { throw ReturnCode(error) }
}

/// The same for cryptography.
func fromCryptography<R: ~Copyable>(
    _ work: @autoclosure () throws(CryptographyError) -> R
) throws(ReturnCode) -> R {
    do throws(CryptographyError) { return try work() } catch { throw ReturnCode(error) }
}
