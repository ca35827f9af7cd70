import KeychainModel

/// The reasons why a gate did not open.
package enum GateError: Error, Equatable {
    /// The bytes are not a valid gate.
    case damaged
    /// No proof at hand opens it.
    case unproven
    /// A proof was given, but the gate was sealed to another key.
    case wrong(Factor)
    /// The password has to be stretched with these settings first.
    case unstretched(PasswordStretching)
    /// A key derivation failed.
    case device(DeviceError)
}
