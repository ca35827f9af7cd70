import Secrets

@_implementationOnly import CCrypto

/// A password in the form for libcrypto, lent for one call.
struct PKCS12Password {
    /// The characters in UTF-8; `nil` for no password, which differs from an empty one.
    let pointer: UnsafePointer<CChar>?

    /// The number of bytes.
    let byteCount: Int32

    /// Lends the forms that a password may have had when the file was written.
    ///
    /// - Parameters:
    ///   - password: UTF-8. Some programs hash an empty one with its terminator, others without.
    ///   - body: Receives one form, or two for an empty password.
    /// - Returns: The result of the body.
    /// - Throws: The error of the body.
    static func withForms<Result>(
        of password: borrowing Secret,
        _ body: ([PKCS12Password]) throws(PKCS12Error) -> Result
    ) throws(PKCS12Error) -> Result {
        try password.withUnsafeBytes { bytes throws(PKCS12Error) in
            guard bytes.isEmpty else {
                let characters = bytes.bindMemory(to: CChar.self).baseAddress
                let byteCount = Int32(clamping: bytes.count)
                return try body([PKCS12Password(pointer: characters, byteCount: byteCount)])
            }
            let terminator: CChar = 0
            return try withUnsafePointer(to: terminator) { empty throws(PKCS12Error) in
                try body([
                    PKCS12Password(pointer: empty, byteCount: 0),
                    PKCS12Password(pointer: nil, byteCount: 0),
                ])
            }
        }
    }
}
