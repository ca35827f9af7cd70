import DataProtection
import KeychainModel

/// The device's sensors and companions at one moment.
package struct Surroundings: Sendable, Hashable {
    /// The kind of biometry that the device has.
    package var biometry: BiometryKind
    /// The enrolments of a reader outside of the device; nil if the device stores them itself.
    package var enrolments: [[UInt8]]?
    /// Whether a paired device is nearby.
    package var hasCompanion: Bool
    /// Whether the passcode may not release stored passwords here (BIO-22).
    package var refusesPasscode: Bool

    /// Creates surroundings; by default, of a device with a passcode only.
    package init(
        biometry: BiometryKind = .none,
        enrolments: [[UInt8]]? = nil,
        hasCompanion: Bool = false,
        refusesPasscode: Bool = false
    ) {
        self.biometry = biometry
        self.enrolments = enrolments
        self.hasCompanion = hasCompanion
        self.refusesPasscode = refusesPasscode
    }

    /// Hands the device the list of an outside reader.
    func adopt(by device: borrowing Device) throws(DeviceError) {
        if let enrolments { try device.adoptEnrolments(enrolments) }
    }
}
