import Cryptography
import DataProtection
import KeychainModel
import Secrets

// Gates: created with the item that they guard, and opened by every call that reads it.
//
// Source: requirements SAC-05 to SAC-31, BIO-17; contradiction `missing-passcode`.
extension DeviceSession {
    /// Creates the gate that an access control requires.
    ///
    /// - Throws: `errSecNotAvailable` or `errSecAuthFailed` if a required passcode is not set;
    ///   `errSecAuthFailed` without an enrolment; a challenge for a new application password.
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
        var password: StretchedPassword?
        if constraint.factors.contains(.applicationPassword) {
            let proof = try prove(.factor(.applicationPassword), isNew: true, for: prover)
            password = try stretched(proof.keys[.applicationPassword], for: prover)
        }
        return try fromDevice(try device.makeGate(for: constraint, password: password))
    }

    /// Returns the stretched password of a new gate; all gates of a call share its salt.
    ///
    /// - Throws: Once, the error that requests the stretching.
    private func stretched(
        _ given: SharedSecret?,
        for prover: Prover
    ) throws(KeychainError) -> StretchedPassword? {
        guard let given, given.secret.byteCount > 0 else { return nil }
        if let known = prover.conversation.newPassword, known.isOf(given) { return known }
        throw .unstretched(PendingStretching(password: given, by: nil, cost: device.guessCost))
    }

    /// Throws if the access control or the class needs a passcode and none is set.
    private func checkPasscode(
        _ protection: ProtectionClass,
        _ control: AccessControl
    ) throws(KeychainError) {
        guard !device.isPasscodeSet else { return }
        if protection.requiresPasscode { throw passcodeMissing(withConstraints: true) }
        if control.flags.demandsPerson { throw KeychainError(.passcodeNotSet) }
    }

    /// Returns the error for an item whose class needs a passcode, while none is set
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

// Opening gates.
extension DeviceSession {
    /// Opens a gate with the proofs at hand.
    func pass(
        _ gate: [UInt8],
        _ constraint: Constraint,
        for prover: Prover
    ) throws(KeychainError) -> Gate {
        let proof = try prove(constraint, gate: gate, for: prover)
        do throws(GateError) {
            return Gate(bytes: gate, key: try device.openGate(gate, with: proof))
        } catch .unstretched(let settings) {
            guard let given = proof.keys[.applicationPassword] else {
                throw KeychainError(.authenticationFailed)
            }
            throw .unstretched(
                PendingStretching(password: given, by: settings, cost: settings.cost)
            )
        } catch {
            throw KeychainError(error)
        }
    }

    /// Whether any proof can still open a gate.
    func canOpenGate(_ gate: [UInt8]) throws(KeychainError) -> Bool {
        try fromDevice(try device.canOpenGate(gate))
    }
}

extension KeychainError {
    /// Creates the caller's error for a gate that did not open.
    init(_ error: GateError) {
        switch error {
        case .damaged: self.init(.decode, "the item's gate is damaged")
        case .unproven, .unstretched: self.init(.authenticationFailed)
        case .wrong(.applicationPassword):
            self.init(.authenticationFailed, "the application password is wrong")
        case .wrong:
            let reason = "the item's passcode or enrolment is gone, so nothing opens it any more"
            self.init(.authenticationFailed, reason)
        case .device(let error): self.init(error)
        }
    }
}

extension PendingStretching {
    /// - Parameters:
    ///   - password: The password as the user typed it.
    ///   - settings: The settings of the gate to open; nil for a new gate.
    ///   - cost: The cost; nil for the one that the device chooses now.
    fileprivate init(
        password: SharedSecret,
        by settings: PasswordStretching?,
        cost: Argon2id.Cost?
    ) {
        self.init(
            password: password,
            salt: settings?.salt,
            cost: cost.map { ($0.memoryKiB, $0.passes, $0.lanes) }
        )
    }
}

extension KeychainError {
    fileprivate static func unstretched(_ pending: PendingStretching) -> KeychainError {
        KeychainError(.internal, "the password is not stretched yet", cause: .stretching(pending))
    }
}
