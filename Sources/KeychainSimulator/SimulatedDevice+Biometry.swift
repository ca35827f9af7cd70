import KeychainEngine
import KeychainModel

// Unlocking and enrolling with faces and fingers.
extension SimulatedDevice {
    /// Unlocks the device with the face or finger of ``user``.
    ///
    /// - Throws: ``SimulatorError`` with `errSecAuthFailed` if the user presents nothing enrolled,
    ///   while biometry is locked out, and before the first entry of the passcode after a restart.
    public func unlockWithBiometry() throws {
        guard biometry != .none else {
            throw SimulatorError(KeychainError(.biometryNotAvailable))
        }
        guard let presented = user.biometric else {
            throw SimulatorError(KeychainError(.authenticationFailed))
        }
        guard system.enforcesLockState else { return unlockUnenforced() }
        try perform { engine throws(KeychainError) in
            try engine.unlock(presenting: Array(presented.utf8))
        }
    }

    /// Enrolls another face or finger; items bound to the previous enrolment stay closed from now
    /// on.
    ///
    /// - Throws: ``SimulatorError`` with `errSecAuthFailed` on a device without biometry, and with
    ///   `errSecParam` if the name is enrolled already.
    public func enroll(_ name: String) throws {
        try requireBiometry()
        try perform { engine throws(KeychainError) in try engine.enroll(Array(name.utf8)) }
    }

    /// Removes an enrolled face or finger; items bound to the previous enrolment stay closed from
    /// now on.
    ///
    /// - Throws: ``SimulatorError`` with `errSecAuthFailed` on a device without biometry, and with
    ///   `errSecParam` if the name is not enrolled.
    public func removeEnrollment(_ name: String) throws {
        try requireBiometry()
        try perform { engine throws(KeychainError) in
            try engine.removeEnrolment(Array(name.utf8))
        }
    }

    private func requireBiometry() throws(SimulatorError) {
        guard biometry != .none else {
            throw SimulatorError(KeychainError(.biometryNotAvailable))
        }
    }
}

// The location of the device.
extension SimulatedDevice {
    /// Whether the device is in a place that is familiar to its owner.
    ///
    /// Elsewhere, Stolen Device Protection does not accept the passcode for stored passwords.
    /// - Source: Apple's "About Stolen Device Protection for iPhone".
    public var isAtFamiliarLocation: Bool {
        get { scene.place.withLock { $0.isFamiliar } }
        set { scene.place.withLock { $0.isFamiliar = newValue } }
    }

    /// Whether Stolen Device Protection is on.
    ///
    /// On a simulated iOS 26 or later it is on by default. On any other system it is always off.
    public var hasStolenDeviceProtection: Bool {
        get { scene.place.withLock { $0.isProtected } }
        set {
            scene.place.withLock { $0.isProtected = newValue && system.hasStolenDeviceProtection }
        }
    }
}

/// The facts about a device's location.
struct Place: Sendable {
    var isFamiliar = true
    var isProtected: Bool
}

extension SimulatedDevice.Biometry {
    var kind: BiometryKind {
        switch self {
        case .none: .none
        case .touchID: .touchID
        case .faceID: .faceID
        }
    }
}
