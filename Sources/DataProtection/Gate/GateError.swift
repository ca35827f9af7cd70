import KeychainModel

/// Why a gate did not open.
package enum GateError: Error, Equatable {
    /// These are not the bytes of a gate.
    case damaged
    /// Nothing was proven that opens it.
    case unproven
    /// A proof was given, and it is not the one that the gate was made for.
    case wrong(Factor)
    /// The password was given, and has to be stretched like this first.
    case unstretched(PasswordStretching)
    /// Keys could not be derived.
    case device(DeviceError)
}
