import DataProtection
import KeychainModel
import Secrets

// Gates: made with what they guard, passed by every call that sees it.
//
// Source: requirements SAC-05 to SAC-31, BIO-17; contradiction `missing-passcode`.
extension DeviceSession {
    /// A new gate for what an access control guards.
    ///
    /// - Throws: `errSecNotAvailable` or `errSecAuthFailed` without the passcode that it needs,
    ///   `errSecAuthFailed` when nobody is enrolled; a challenge for a new application password.
    func makeGate(
        _ protection: ProtectionClass,
        _ control: AccessControl?,
        _ prover: Prover
    ) throws(KeychainError) -> Gate? {
        guard profiles.system.enforcesLockState, let control,
            let constraint = control.constraint
        else { return nil }
        try checkPasscode(protection, control)
        if case .locked? = device.unavailability(of: protection) {
            throw KeychainError(.locked(protection))
        }
        if control.needsEnrolment { try checkEnrolment(in: try prover.surroundings()) }
        var password: SharedSecret?
        if constraint.factors.contains(.applicationPassword) {
            let proof = try prove(.factor(.applicationPassword), isNew: true, for: prover)
            password = proof.keys[.applicationPassword]
        }
        return try fromDevice(try device.makeGate(for: constraint, password: password))
    }

    /// What a person has to prove, and the class of the passcode, need one.
    private func checkPasscode(
        _ protection: ProtectionClass,
        _ control: AccessControl
    ) throws(KeychainError) {
        guard !device.isPasscodeSet else { return }
        if protection.requiresPasscode { throw passcodeMissing(withConstraints: true) }
        if control.flags.demandsPerson { throw KeychainError(.passcodeNotSet) }
    }

    /// There is no passcode, and the item's class exists only with one
    /// (contradiction `missing-passcode`).
    func passcodeMissing(withConstraints: Bool) -> KeychainError {
        let isUnavailable =
            switch profiles.behavior.passcodeMissing {
            case .byConstraints: withConstraints
            case .authFailed: false
            case .notAvailable: true
            }
        let reason = "this item needs a passcode, and none is set"
        return KeychainError(isUnavailable ? .notAvailable : .authFailed, reason)
    }

    private func checkEnrolment(in surroundings: Surroundings) throws(KeychainError) {
        let status = try biometryStatus(in: surroundings)
        guard status.kind != .none else { throw KeychainError(.biometryNotAvailable) }
        guard status.isEnrolled else { throw KeychainError(.biometryNotEnrolled) }
    }
}

// Passing.
extension DeviceSession {
    /// Opens a gate with what is proven.
    func pass(
        _ gate: [UInt8],
        _ constraint: Constraint,
        for prover: Prover
    ) throws(KeychainError) -> Gate {
        let proof = try prove(constraint, gate: gate, for: prover)
        do throws(GateError) {
            return Gate(bytes: gate, key: try device.openGate(gate, with: proof))
        } catch {
            throw KeychainError(error)
        }
    }

    /// Whether any proof still opens a gate.
    func canOpenGate(_ gate: [UInt8]) throws(KeychainError) -> Bool {
        try fromDevice(try device.canOpenGate(gate))
    }
}

extension KeychainError {
    /// Why a gate did not open, to the caller.
    init(_ error: GateError) {
        switch error {
        case .damaged: self.init(.decode, "the item's gate is damaged")
        case .unproven: self.init(.authenticationFailed)
        case .wrong(.applicationPassword):
            self.init(.authenticationFailed, "the application password is wrong")
        case .wrong:
            let reason = "the item's passcode or enrolment is gone, so nothing opens it any more"
            self.init(.authenticationFailed, reason)
        case .device(let error): self.init(error)
        }
    }
}
