import Secrets

/// The part of a device that protects its UID key and counts passcode attempts.
///
/// Every key that wraps a keybag's keys comes from `tangle`, so that a copy of the files opens on
/// no other device. The caller of a method that writes holds the storage's exclusive lock.
package protocol SecureElement: Sendable {
    /// The kind of protection for the UID key: `software` for a file.
    var kind: String { get }

    /// Creates a UID key if there is none; called before the first keybag is created.
    func prepare() throws(DeviceError)

    /// Derives a key that only this device can derive.
    ///
    /// - Parameters:
    ///   - input: Further input, such as a stretched passcode; may be empty.
    ///   - salt: Public bytes; another salt results in another key.
    ///   - context: The purpose of the key.
    /// - Returns: 32 bytes: HKDF-SHA256 of UID key ‖ input, with the context as info.
    /// - Throws: `missing`, `damaged`, `unsupportedVersion`, `storage` or `cryptography`.
    func tangle(
        _ input: borrowing Secret,
        salt: [UInt8],
        context: String
    ) throws(DeviceError) -> Secret

    /// Reads the attempt counter.
    func attempts() throws(DeviceError) -> PasscodeAttempts

    /// Stores the attempt counter; durable on return.
    func recordAttempts(_ attempts: PasscodeAttempts) throws(DeviceError)

    /// Returns the enrolled faces or fingers; nil before the first enrolment.
    func enrolments() throws(DeviceError) -> EnrolmentSet?

    /// Stores an enrolment set; durable on return, and the key of the previous set is destroyed.
    func record(_ enrolments: EnrolmentSet) throws(DeviceError)

    /// Destroys the UID key and every key derived from it, and creates a new one.
    func erase() throws(DeviceError)
}

extension SecureElement {
    /// Derives a key from the UID key, without further input.
    func tangle(salt: [UInt8], context: String) throws(DeviceError) -> Secret {
        try tangle(Secret(copying: []), salt: salt, context: context)
    }
}
