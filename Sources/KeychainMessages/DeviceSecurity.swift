/// The protection of a device's keys.
///
/// - Source: requirement KEY-21.
package struct DeviceSecurity: Sendable, Hashable {
    /// The strength with which keys are bound to the machine.
    package enum Level: String, Sendable, Hashable {
        /// Bound to a file: a copy of the directory contains everything that the passcode does not
        /// guard.
        case software
        /// Bound to the TPM 2.0 of this machine.
        case tpm2
    }

    /// The level; nil for a secure element that this version does not know.
    package let level: Level?
}

extension DeviceStatus {
    /// The protection of this device's keys.
    package var deviceSecurity: DeviceSecurity {
        DeviceSecurity(level: .init(rawValue: secureElement))
    }
}
