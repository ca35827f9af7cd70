/// The reason why a cryptographic operation failed; never contains secret bytes.
package enum CryptographyError: Error, Equatable {
    /// The key, the nonce, the authenticated data or the sealed bytes are not the original ones.
    case authenticationFailed

    /// A key has the wrong size; both numbers are bytes.
    case invalidKeySize(expected: Int, actual: Int)

    /// An argument is outside the algorithm's limits; the text names the limit.
    case invalidInput(String)

    /// The library or the kernel failed; the text is its own message.
    case backend(String)
}

extension CryptographyError {
    /// The refusal of a ciphertext, the same for every fault, so that it does not reveal the
    /// padding.
    package static let wrongCiphertext = CryptographyError.invalidInput(
        "the ciphertext is for another key, or was changed"
    )
}
