import Secrets

/// The part of a device that holds its UID key and counts passcode attempts.
///
/// Everything a keybag is wrapped under passes through `tangle`, so that a copy of the files
/// opens on no other device. Calls that write are made under the storage's exclusive lock.
package protocol SecureElement: Sendable {
    /// What guards the UID key: `software` for a file.
    var kind: String { get }

    /// Makes a UID key if there is none; called before the first keybag is created.
    func prepare() throws(DeviceError)

    /// Derives a key that only this device can derive.
    ///
    /// - Parameters:
    ///   - input: What else goes in, such as a stretched passcode; may be empty.
    ///   - salt: Public bytes; another salt gives another key.
    ///   - context: What the key is for.
    /// - Returns: 32 bytes: HKDF-SHA256 of UID key ‖ input, with the context as info.
    /// - Throws: `missing`, `damaged`, `unsupportedVersion`, `storage` or `cryptography`.
    func tangle(
        _ input: borrowing Secret,
        salt: [UInt8],
        context: String
    ) throws(DeviceError) -> Secret

    /// Reads the attempt counter.
    func attempts() throws(DeviceError) -> PasscodeAttempts

    /// Makes the attempt counter durable before it returns.
    func recordAttempts(_ attempts: PasscodeAttempts) throws(DeviceError)

    /// The enrolled faces or fingers; nil before the first.
    func enrolments() throws(DeviceError) -> EnrolmentSet?

    /// Makes a set durable before it returns; the key of the one before is gone.
    func record(_ enrolments: EnrolmentSet) throws(DeviceError)

    /// Destroys the UID key, and with it all that was ever tangled, and makes a new one.
    func erase() throws(DeviceError)
}

extension SecureElement {
    /// Derives a key from the UID key alone.
    func tangle(salt: [UInt8], context: String) throws(DeviceError) -> Secret {
        try tangle(Secret(copying: []), salt: salt, context: context)
    }
}
