import Secrets

/// A chip that makes keys which never leave it, and authenticates messages under them.
///
/// It knows neither files nor what its keys are for; `ChipSecureElement` makes a secure element of
/// it.
package protocol SecureChip: Sendable {
    /// The chip's kind, as the file names it and `keychainctl status` shows it.
    ///
    /// 1 to 8 bytes of ASCII, such as `tpm2`.
    var kind: String { get }

    /// Makes a random key inside the chip.
    ///
    /// - Returns: What the chip needs to find or load the key again, at most 2048 bytes; it is of
    ///   no use to another chip.
    /// - Throws: `element`.
    func makeKey() throws(DeviceError) -> [UInt8]

    /// Authenticates a message with HMAC-SHA-256 inside the chip.
    ///
    /// - Parameters:
    ///   - message: At most 128 bytes.
    ///   - key: What `makeKey` returned.
    /// - Returns: 32 bytes.
    /// - Throws: `element`: the chip is gone, is another one, or refuses.
    func authenticate(
        _ message: borrowing Secret,
        under key: [UInt8]
    ) throws(DeviceError) -> Secret
}
