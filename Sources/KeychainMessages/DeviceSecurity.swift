/// What guards a device's keys.
///
/// - Source: requirement KEY-21.
package struct DeviceSecurity: Sendable, Hashable {
    /// How well keys are bound to the machine.
    package enum Level: String, Sendable, Hashable {
        /// To a file: whoever copies the directory has all that the passcode does not guard.
        case software
        /// To the TPM 2.0 of this machine.
        case tpm2
    }

    /// The level; nil for a kind of secure element that this version has no word for.
    package let level: Level?
}

extension DeviceStatus {
    /// What guards the keys of this device.
    package var deviceSecurity: DeviceSecurity {
        DeviceSecurity(level: .init(rawValue: secureElement))
    }
}
