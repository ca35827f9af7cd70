import DataProtection
import KeychainModel
import Secrets

// The gates of items: made with the item, passed by every call that sees it.
//
// Source: requirements SAC-05 to SAC-31, BIO-17; C-06, C-11.
extension EngineState {
    /// A new gate for an item that needs one.
    ///
    /// - Throws: `errSecNotAvailable` or `errSecAuthFailed` without the passcode that it needs,
    ///   `errSecAuthFailed` when nobody is enrolled; a challenge for a new application password.
    func makeGate(for item: PlainItem, _ asker: Asker) throws(KeychainError) -> Gate? {
        guard item.gateConstraint != nil else { return nil }
        return try makeGate(item.protection, item.accessControl, asker)
    }

    /// A new gate for whatever an access control guards.
    func makeGate(
        _ protection: ProtectionClass,
        _ control: AccessControl?,
        _ asker: Asker
    ) throws(KeychainError) -> Gate? {
        guard profiles.system.enforcesLockState, let control,
            let constraint = control.constraint
        else { return nil }
        try checkPasscode(protection, control)
        if case .locked? = device.unavailability(of: protection) {
            throw KeychainError(.locked(protection))
        }
        if control.needsEnrolment { try checkEnrolment() }
        var password: SharedSecret?
        if constraint.factors.contains(.applicationPassword) {
            let proof = try prove(.factor(.applicationPassword), isNew: true, for: asker)
            password = proof.keys[.applicationPassword]
        }
        return try visit { () throws(DeviceError) in
            try device.makeGate(for: constraint, password: password)
        }
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

    /// C-11: there is no passcode, and the item's class exists only with one.
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

    private func checkEnrolment() throws(KeychainError) {
        let status = try biometryStatus()
        guard status.kind != .none else { throw KeychainError(.biometryNotAvailable) }
        guard status.isEnrolled else { throw KeychainError(.biometryNotEnrolled) }
    }
}

// Passing.
extension EngineState {
    /// The opened gate of a row; nil for a row without one.
    func passGate(_ row: OpenRow, for asker: Asker) throws(KeychainError) -> Gate? {
        guard profiles.system.enforcesLockState, let constraint = row.item.gateConstraint,
            !row.item.isTombstone
        else { return nil }
        // A closed class stays closed whatever is proven: nobody is asked in vain.
        if let error = device.unavailability(of: row.item.protection) { throw KeychainError(error) }
        guard let half = row.sealed.item.secret.flatMap(GatedHalf.init) else {
            throw KeychainError(.decode, "the item has no gate")
        }
        return try pass(half.gate, constraint, for: asker)
    }

    /// Opens a gate with what is proven.
    func pass(
        _ gate: [UInt8],
        _ constraint: Constraint,
        for asker: Asker
    ) throws(KeychainError) -> Gate {
        let proof = try prove(constraint, gate: gate, for: asker)
        do throws(GateError) {
            return Gate(bytes: gate, key: try device.openGate(gate, with: proof))
        } catch {
            throw KeychainError(error)
        }
    }

    /// The row and its opened gate.
    ///
    /// - Returns: nil when the row is not what was sealed, and when it needs somebody whom the call
    ///   wants left alone (BIO-10).
    func passGateOrSkip(
        _ row: OpenRow,
        for asker: Asker
    ) throws(KeychainError) -> (OpenRow, Gate?)? {
        guard row.item.gateConstraint != nil else { return (row, nil) }
        let whole = try withSecret(row)
        do throws(KeychainError) {
            return (whole, try passGate(whole, for: asker))
        } catch {
            let isSkipped = asker.terms.interface == .skip && error.failure != nil
            guard isSkipped || error.status == .decode else { throw error }
            return nil
        }
    }

    /// The row with its sealed value, where the gate lies, also if the search read it without.
    private func withSecret(_ row: OpenRow) throws(KeychainError) -> OpenRow {
        guard row.sealed.item.secret == nil else { return row }
        var filter = RowFilter(itemClass: row.item.itemClass)
        filter.row = row.sealed.row
        filter.synchronizable = .any
        let rows = try visit { () throws(StoreError) in
            try store.rows(filter, withSecrets: true)
        }
        var whole = row.sealed
        whole.item.secret = rows.first?.item.secret
        return OpenRow(sealed: whole, item: row.item)
    }
}

extension KeychainError {
    /// Why a gate did not open, to the caller.
    init(_ error: GateError) {
        switch error {
        case .damaged: self.init(.decode, "the gate is not what was sealed")
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

extension PlainItem {
    /// What has to be proven before the item is seen.
    ///
    /// The access control of a key in the secure element is about its use instead (KEY-07).
    var gateConstraint: Constraint? {
        guard attributes[.tokenID] != .string(ElementKeyHandle.tokenID) else { return nil }
        return accessControl?.constraint
    }
}
