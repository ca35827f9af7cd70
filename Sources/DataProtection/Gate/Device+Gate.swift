import Cryptography
import KeychainModel
import Secrets

// Invariants   (1) Making a gate needs only public keys and a new password, no proof.
//              (2) Opening one needs the private keys of a proof; a boolean opens nothing.
//              (3) A gate opens on no other device: every leaf depends on keybag or element.

// Making.
extension Device {
    /// Seals a new random key to a constraint.
    ///
    /// - Parameters:
    ///   - constraint: The proofs that open the gate.
    ///   - password: The stretched application password, if the constraint names it.
    /// - Returns: The gate, with its key.
    /// - Throws: `passcodeNotSet` if a factor has no key because no passcode is set;
    ///   `biometryUnavailable` without an enrolment; `emptyPasscode` for a missing password; the
    ///   errors of the element.
    package func makeGate(
        for constraint: Constraint,
        password: StretchedPassword?
    ) throws(DeviceError) -> Gate {
        let key = SharedSecret(try Keybag.newKey(random))
        let node = try seal(key, to: constraint, password: password)
        return Gate(bytes: node.encoded, key: key)
    }

    private func seal(
        _ share: SharedSecret,
        to constraint: Constraint,
        password: StretchedPassword?
    ) throws(DeviceError) -> GateNode {
        switch constraint {
        case .factor(.applicationPassword): return try seal(share, to: password)
        case .factor(let factor): return try seal(share, to: factor)
        case .any(let parts):
            var nodes: [GateNode] = []
            for part in parts {
                nodes.append(try seal(share, to: part, password: password))
            }
            return .any(nodes)
        case .all(let parts):
            var nodes: [GateNode] = []
            var joined = Secret(copying: [])
            for part in parts {
                let own = SharedSecret(try Keybag.newKey(random))
                nodes.append(try seal(own, to: part, password: password))
                joined = Secret(concatenating: joined, own.secret)
            }
            let wrapping = try Self.derive(from: joined, context: "gate all")
            return .all(nodes, wrapped: try Keybag.wrap(share.secret, under: wrapping))
        }
    }

    private func seal(_ share: SharedSecret, to factor: Factor) throws(DeviceError) -> GateNode {
        let enrolments = factor == .currentBiometry ? try element.enrolments() : nil
        if factor == .currentBiometry, enrolments?.templates.isEmpty != false {
            throw .biometryUnavailable(.notEnrolled)
        }
        guard let publicKey = keybag.proofPublicKeys[factor.keybagFactor] else {
            throw .passcodeNotSet
        }
        let ephemeral = try Keybag.newKey(random)
        let passing = try ProofKey.publicKey(of: ephemeral)
        var recipients = [publicKey]
        if let enrolments {
            recipients.append(try ProofKey.publicKey(of: enrolments.privateKey.secret))
        }
        var agreed = Secret(copying: [])
        for recipient in recipients {
            agreed = Secret(
                concatenating: agreed,
                try Self.agree(ephemeral, with: recipient)
            )
        }
        let wrapping = try Self.leafKey(agreed, factor, passing, recipients)
        return .agreed(
            factor,
            enrolment: enrolments?.id,
            ephemeralKey: passing,
            wrapped: try Keybag.wrap(share.secret, under: wrapping)
        )
    }

    private func seal(
        _ share: SharedSecret,
        to password: StretchedPassword?
    ) throws(DeviceError) -> GateNode {
        guard let password else { throw .emptyPasscode }
        let settings = password.settings
        return .stretched(
            salt: settings.salt,
            cost: settings.cost,
            wrapped: try Keybag.wrap(share.secret, under: try passwordKey(password))
        )
    }
}

// Opening.
extension Device {
    /// Returns the name of the present enrolment set; nil without an enrolment.
    package func enrolmentID() throws(DeviceError) -> [UInt8]? {
        guard let set = try element.enrolments(), !set.templates.isEmpty else { return nil }
        return set.id
    }

    /// Whether a gate is bound to another enrolment set than the present one.
    ///
    /// - Throws: The errors of the element.
    package func isEnrolmentChanged(since gate: [UInt8]) throws(DeviceError) -> Bool {
        let bound = GateNode(decoding: gate)?.enrolments ?? []
        guard !bound.isEmpty else { return false }
        let present = try enrolmentID()
        return bound.contains { $0 != present }
    }

    /// Whether any proofs can open a gate; true for a damaged gate.
    ///
    /// A passcode that was removed and set again has other keys, which the gate does not show: such
    /// a gate appears to be openable.
    /// - Throws: The errors of the element.
    package func canOpenGate(_ bytes: [UInt8]) throws(DeviceError) -> Bool {
        guard let node = GateNode(decoding: bytes) else { return true }
        let present = try enrolmentID()
        return node.isOpenable { factor, enrolment in
            keybag.proofPublicKeys[factor.keybagFactor] != nil
                && (enrolment == nil || enrolment == present)
        }
    }

    /// Releases a gate's key; stretches nothing.
    ///
    /// - Throws: `GateError`; `unstretched` until the proof contains the stretched password.
    package func openGate(
        _ bytes: [UInt8],
        with proof: Proof
    ) throws(GateError) -> SharedSecret {
        guard let node = GateNode(decoding: bytes) else { throw .damaged }
        return SharedSecret(try open(node, with: proof))
    }

    private func open(_ node: GateNode, with proof: Proof) throws(GateError) -> Secret {
        switch node {
        case .agreed(let factor, _, let ephemeralKey, let wrapped):
            let wrapping = try leafKey(factor, ephemeralKey, proof)
            return try Self.unwrap(wrapped, under: wrapping, factor)
        case .stretched(let salt, let cost, let wrapped):
            guard let given = proof.keys[.applicationPassword] else { throw .unproven }
            guard given.secret.byteCount > 0 else { throw .wrong(.applicationPassword) }
            let settings = PasswordStretching(salt: salt, cost: cost)
            guard let password = proof.password(stretchedBy: settings) else {
                throw .unstretched(settings)
            }
            let wrapping = try Self.device { () throws(DeviceError) in try passwordKey(password) }
            return try Self.unwrap(wrapped, under: wrapping, .applicationPassword)
        case .any(let parts): return try openFirst(of: parts, with: proof)
        case .all(let parts, let wrapped):
            var joined = Secret(copying: [])
            for part in parts {
                joined = Secret(concatenating: joined, try open(part, with: proof))
            }
            let wrapping = try Self.device { () throws(DeviceError) in
                try Self.derive(from: joined, context: "gate all")
            }
            return try Self.unwrap(wrapped, under: wrapping, nil)
        }
    }

    private func openFirst(
        of parts: [GateNode],
        with proof: Proof
    ) throws(GateError) -> Secret {
        var refusal = GateError.unproven
        for part in parts {
            do throws(GateError) {
                return try open(part, with: proof)
            } catch {
                // It is not known yet whether this part opens.
                if case .unstretched = error { throw error }
                if error != .unproven { refusal = error }
            }
        }
        throw refusal
    }

    private func leafKey(
        _ factor: Factor,
        _ ephemeralKey: [UInt8],
        _ proof: Proof
    ) throws(GateError) -> Secret {
        var agreed = Secret(copying: [])
        var recipients: [[UInt8]] = []
        do throws(DeviceError) {
            for needed in factor.proofFactors {
                guard let key = proof.keys[needed] else { throw DeviceError.passcodeRequired }
                recipients.append(try ProofKey.publicKey(of: key.secret))
                agreed = Secret(
                    concatenating: agreed,
                    try Self.agree(key.secret, with: ephemeralKey)
                )
            }
            return try Self.leafKey(agreed, factor, ephemeralKey, recipients)
        } catch .passcodeRequired {
            throw .unproven
        } catch .cryptography(.invalidInput) {
            throw .damaged
        } catch {
            throw .device(error)
        }
    }

    private static func device(
        _ body: () throws(DeviceError) -> Secret
    ) throws(GateError) -> Secret {
        do throws(DeviceError) { return try body() } catch { throw .device(error) }
    }

    private static func unwrap(
        _ wrapped: [UInt8],
        under wrapping: borrowing Secret,
        _ factor: Factor?
    ) throws(GateError) -> Secret {
        do throws(CryptographyError) {
            return try AESKeyWrap.unwrap(wrapped, under: wrapping)
        } catch .authenticationFailed {
            guard let factor else { throw .damaged }
            throw .wrong(factor)
        } catch {
            throw .device(.cryptography(error))
        }
    }
}

// The keys of the leaves.
extension Device {
    private static func agree(
        _ privateKey: borrowing Secret,
        with publicKey: [UInt8]
    ) throws(DeviceError) -> Secret {
        do throws(CryptographyError) {
            let own = try PrivateKey(family: .x25519, externalRepresentation: privateKey)
            let other = try PublicKey(family: .x25519, externalRepresentation: publicKey)
            return try own.sharedSecret(with: other)
        } catch {
            throw .cryptography(error)
        }
    }

    private static func leafKey(
        _ agreed: borrowing Secret,
        _ factor: Factor,
        _ ephemeralKey: [UInt8],
        _ recipients: [[UInt8]]
    ) throws(DeviceError) -> Secret {
        try derive(
            from: agreed,
            salt: ephemeralKey + recipients.flatMap(\.self),
            context: "gate \(factor)"
        )
    }

    private func passwordKey(_ password: StretchedPassword) throws(DeviceError) -> Secret {
        try element.tangle(
            password.secret.secret,
            salt: password.settings.salt,
            context: "gate application password"
        )
    }

    private static func derive(
        from key: borrowing Secret,
        salt: [UInt8] = [],
        context: String
    ) throws(DeviceError) -> Secret {
        do throws(CryptographyError) {
            return try HKDF.deriveKey(
                from: key,
                salt: salt,
                info: [UInt8](context.utf8),
                byteCount: Gate.keyByteCount
            )
        } catch {
            throw .cryptography(error)
        }
    }
}

extension Factor {
    /// The factor whose key pair in the keybag represents this one.
    fileprivate var keybagFactor: Factor { self == .currentBiometry ? .biometry : self }

    /// The factors whose private halves a leaf needs, in this order.
    fileprivate var proofFactors: [Factor] {
        self == .currentBiometry ? [.biometry, .currentBiometry] : [self]
    }
}
