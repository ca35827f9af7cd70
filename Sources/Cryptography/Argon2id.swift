import Secrets

/// Derivation of keys from passcodes (Argon2id version 0x13, RFC 9106).
package enum Argon2id {
    /// The size of a stretched key in bytes.
    package static let keyByteCount = 32

    /// The sizes a salt may have, in bytes; 16 are advised.
    package static let saltByteCounts = 8...64

    /// Stretches a passcode.
    ///
    /// - Parameters:
    ///   - passcode: Any size, none included.
    ///   - salt: 8 to 64 random bytes.
    ///   - cost: The cost of one guess; even a cost from a file is checked against the limits.
    /// - Returns: 32 bytes.
    /// - Throws: `invalidInput` outside the limits; `backend`, for one, when memory is short.
    package static func stretch(
        _ passcode: borrowing Secret,
        salt: [UInt8],
        cost: Cost
    ) throws(CryptographyError) -> Secret {
        try stretch(passcode, salt: salt, pepper: Secret(copying: []), associating: [], cost: cost)
    }

    /// Stretches a passcode and binds the result to a second key and to context.
    ///
    /// - Parameters:
    ///   - passcode: Any size, none included.
    ///   - salt: 8 to 64 random bytes.
    ///   - pepper: A key kept elsewhere (the RFC's "secret value K"); empty for none.
    ///   - associatedData: Context (the RFC's "associated data X"); at most 1 GiB.
    ///   - cost: The cost of one guess.
    /// - Returns: 32 bytes.
    /// - Throws: `invalidInput` outside the limits; `backend`, for one, when memory is short.
    package static func stretch(
        _ passcode: borrowing Secret,
        salt: [UInt8],
        pepper: borrowing Secret,
        associating associatedData: [UInt8],
        cost: Cost
    ) throws(CryptographyError) -> Secret {
        try cost.validate()
        guard saltByteCounts.contains(salt.count) else {
            throw .invalidInput("salt not of 8 to 64 bytes")
        }
        guard max(passcode.byteCount, pepper.byteCount, associatedData.count) <= 1 << 30 else {
            throw .invalidInput("passcode, pepper or associated data over 1 GiB")
        }
        return try derive(
            from: passcode,
            salt: salt,
            pepper: pepper,
            associating: associatedData,
            cost: cost
        )
    }
}
