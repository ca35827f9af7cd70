import DataProtection
import KeychainModel

/// What is around the device at one moment.
package struct Surroundings: Sendable, Hashable {
    /// What the device recognizes people by.
    package var biometry: BiometryKind
    /// What a reader outside of the device has enrolled; nil when the device keeps it.
    package var enrolments: [[UInt8]]?
    /// Whether a paired device is nearby.
    package var hasCompanion: Bool
    /// Whether stored passwords are refused to the passcode here (BIO-22).
    package var refusesPasscode: Bool

    /// A device that knows no more than its passcode.
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
