import KeychainEngine
import KeychainModel

// Faces and fingers.
extension SimulatedDevice {
    /// Unlocks with the face or finger of ``user``.
    ///
    /// - Throws: ``SimulatorError`` with -25293 when nothing that is enrolled is presented, when
    ///   biometry is locked out, and before the passcode was entered since the device started.
    public func unlockWithBiometry() throws {
        guard biometry != .none else {
            throw SimulatorError(KeychainError(.biometryNotAvailable))
        }
        guard let presented = user.biometric else {
            throw SimulatorError(KeychainError(.authenticationFailed))
        }
        guard system.enforcesLockState else { return unlockLoosely() }
        try perform { engine throws(KeychainError) in
            try engine.unlock(presenting: Array(presented.utf8))
        }
    }

    /// Enrolls a further face or finger: what is bound to the present set stays shut from now on.
    ///
    /// - Throws: ``SimulatorError`` with -25293 on a device without biometry, and with -50 for one
    ///   that is enrolled already.
    public func enroll(_ name: String) throws {
        try requireBiometry()
        try perform { engine throws(KeychainError) in try engine.enroll(Array(name.utf8)) }
    }

    /// Removes an enrolled face or finger: what is bound to the present set stays shut from now on.
    ///
    /// - Throws: ``SimulatorError`` with -25293 on a device without biometry, and with -50 for one
    ///   that is not enrolled.
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

// Where the device is.
extension SimulatedDevice {
    /// Whether the device is where its owner usually is; elsewhere Stolen Device Protection, which
    /// is on from iOS 26, takes no passcode for stored passwords.
    public var isAtFamiliarLocation: Bool {
        get { place.withLock { $0.isFamiliar } }
        set { place.withLock { $0.isFamiliar = newValue } }
    }

    /// Whether Stolen Device Protection is on; never before iOS 26, which has it on by default.
    public var hasStolenDeviceProtection: Bool {
        get { place.withLock { $0.isProtected } }
        set { place.withLock { $0.isProtected = newValue && system.hasStolenDeviceProtection } }
    }

    /// What is around the device now.
    var surroundings: Surroundings {
        let refuses = place.withLock { $0.isProtected && !$0.isFamiliar }
        return Surroundings(
            biometry: biometry.kind,
            hasCompanion: user.hasCompanion,
            refusesPasscode: refuses
        )
    }
}

/// Where a device is, as far as it matters.
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
