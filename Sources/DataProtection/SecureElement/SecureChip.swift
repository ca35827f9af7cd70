import Secrets

/// A chip that creates keys which never leave it, and authenticates messages with them.
///
/// It uses no files and does not know the purpose of its keys; `ChipSecureElement` builds a secure
/// element on it.
package protocol SecureChip: Sendable {
    /// The chip's kind, which the file contains and `keychainctl status` shows.
    ///
    /// 1 to 8 bytes of ASCII, such as `tpm2`.
    var kind: String { get }

    /// Creates a random key in the chip.
    ///
    /// - Returns: A blob with which the chip can load the key again, at most 2048 bytes. It is
    ///   useless to another chip.
    /// - Throws: `element`.
    func makeKey() throws(DeviceError) -> [UInt8]

    /// Authenticates a message with HMAC-SHA-256 in the chip.
    ///
    /// - Parameters:
    ///   - message: At most 128 bytes.
    ///   - key: The result of `makeKey`.
    /// - Returns: 32 bytes.
    /// - Throws: `element` if the chip is missing, is another one, or refuses.
    func authenticate(
        _ message: borrowing Secret,
        under key: [UInt8]
    ) throws(DeviceError) -> Secret
}
