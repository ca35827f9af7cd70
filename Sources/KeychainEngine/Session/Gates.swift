import Cryptography
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
        var password: StretchedPassword?
        if constraint.factors.contains(.applicationPassword) {
            let proof = try prove(.factor(.applicationPassword), isNew: true, for: prover)
            password = try stretched(proof.keys[.applicationPassword], for: prover)
        }
        return try fromDevice(try device.makeGate(for: constraint, password: password))
    }

    /// The password of a new gate as it is sealed to; all gates of a call share its salt.
    ///
    /// - Throws: The error that has it stretched, once.
    private func stretched(
        _ given: SharedSecret?,
        for prover: Prover
    ) throws(KeychainError) -> StretchedPassword? {
        guard let given, given.secret.byteCount > 0 else { return nil }
        if let known = prover.conversation.newPassword, known.isOf(given) { return known }
        throw .unstretched(PendingStretching(password: given, by: nil, cost: device.guessCost))
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
    ///   - password: The password as it was given.
    ///   - settings: Those of the gate that is to be opened; nil for a new gate.
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
