import Cryptography
import DataProtection
import KeychainModel
import Secrets

// Using keys of the secure element by their handles, wherever programs kept those.
//
// Source: requirements KEY-06, KEY-07, KEY-11, SAC-13; Documentation/Spec/item.md §8.
extension ItemVault {
    /// Uses a key once.
    ///
    /// - Throws: `errSecInteractionNotAllowed` while its class is locked; `errSecAuthFailed` if its
    ///   access control does not allow private-key use; `errSecDecode` on another device, and if
    ///   the key has become unusable; a challenge if it needs a prompt.
    func useElementKey(
        _ handle: ElementKeyHandle,
        algorithm: String,
        _ use: ElementKeyUse,
        for prover: Prover,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> SharedSecret {
        if let control = handle.accessControl, !control.flags.contains(.privateKeyUsage) {
            let reason = "the access control does not allow private-key use"
            throw KeychainError(.authFailed, reason)
        }
        guard let scheme = KeyScheme(identifier: algorithm) else {
            throw KeychainError(.param, "there is no algorithm '\(algorithm)'")
        }
        let conditions = ElementKeyHandle.conditions(handle.protection, handle.accessControl)
        let key = try open(handle, conditions, for: prover, session)
        return try fromDevice(
            try session.device.withElementKey(key, under: conditions) {
                key throws(CryptographyError) in
                try use.perform(scheme, with: key)
            }
        )
    }

    /// Throws for a key of another device.
    ///
    /// The wrapped item key shows it without opening anything that a gate guards. While the class
    /// is locked, only the name of the key set can be checked, and the first use checks the rest.
    /// - Throws: `errSecDecode` for a key of another device; `errSecUnimplemented` on a system
    ///   without a secure element.
    func checkElementKey(
        _ handle: ElementKeyHandle,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) {
        guard profiles.system.hasSecureElement else {
            throw KeychainError(.unimplemented, "this system has no secure element")
        }
        switch session.device.unavailability(of: handle.protection) {
        case nil: _ = try itemKey(of: handle, session)
        case .locked?:
            guard let keySet = handle.keySet else { return }
            let row = try store.handleKey(of: handle.protection, in: keySet)
            if row == nil { throw .foreignHandle }
        case let error?: throw KeychainError(error)
        }
    }

    /// Whether the handle of a stored key opens, as far as that needs no prompt.
    func isSound(
        _ handle: borrowing Secret,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> Bool {
        guard let handle = ElementKeyHandle(decoding: handle.copyBytesUnprotected()) else {
            return false
        }
        do throws(KeychainError) {
            _ = try itemKey(of: handle, session)
            return true
        } catch {
            guard error.status == .decode else { throw error }
            return false
        }
    }

    private func open(
        _ handle: ElementKeyHandle,
        _ conditions: [UInt8],
        for prover: Prover,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> ElementKey {
        try session.requireOpen(handle.protection)
        // This comes first, so that a key that does not open causes no prompt.
        let itemKey = try itemKey(of: handle, session)
        let body = try handle.body
        var gate: Gate?
        if let constraint = handle.accessControl?.constraint {
            gate = try pass(body.gate, constraint, for: prover, session)
        }
        do throws(CipherError) {
            let half = try cipher.open(
                body.sealed,
                conditions + handle.publicPoint + (gate?.bytes ?? []),
                gate: gate?.key,
                itemKey: itemKey
            )
            return ElementKey(
                publicPoint: handle.publicPoint,
                sealedPrivateHalf: half.copyBytesUnprotected()
            )
        } catch {
            throw KeychainError(error)
        }
    }

    /// Opens the gate of a key; throws that the key ended if no proof can open the gate.
    private func pass(
        _ gate: [UInt8],
        _ constraint: Constraint,
        for prover: Prover,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> Gate {
        do throws(KeychainError) {
            return try session.pass(gate, constraint, for: prover)
        } catch {
            guard error.failure == .authenticationFailed || error.status == .itemNotFound,
                try !session.canOpenGate(gate)
            else { throw error }
            throw KeychainError(
                .decode,
                "the enrolled faces or fingers changed since the key was made; make another"
            )
        }
    }

    /// Unwraps the random key of a handle with its handle key or, for version 1, with its class
    /// key.
    ///
    /// - Throws: `errSecDecode` for a handle that this keychain did not make, or whose key has
    ///   ended.
    private func itemKey(
        of handle: ElementKeyHandle,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> Secret {
        let body = try handle.body.sealed
        let cipher = cipher
        var handleKey: HandleKey?
        if let keySet = handle.keySet {
            handleKey = try self.handleKey(of: handle.protection, in: keySet, session)
            if handleKey == nil { throw .foreignHandle }
        }
        do throws(CipherError) {
            if let handleKey { return try cipher.unwrapKey(of: body, under: handleKey) }
            return try session.device.withClassKey(
                handle.protection,
                else: CipherError.init(unavailable:)
            ) { key throws(CipherError) in try cipher.unwrapKey(of: body, under: key) }
        } catch .damaged {
            try requireKeySet(of: session)
            throw .foreignHandle
        } catch {
            throw KeychainError(error)
        }
    }
}

extension ElementKeyHandle {
    /// The sealed half, preceded by its gate if the access control has a constraint.
    ///
    /// - Throws: `errSecDecode` for a half that lacks its gate.
    fileprivate var body: (gate: [UInt8], sealed: ArraySlice<UInt8>) {
        get throws(KeychainError) {
            guard accessControl?.constraint != nil else { return ([], sealedPrivateHalf[...]) }
            guard let half = GatedHalf(sealedPrivateHalf) else {
                throw KeychainError(.decode, "the key has no gate")
            }
            return (half.gate, half.body)
        }
    }
}

extension KeychainError {
    /// The error for a handle that this keychain did not make, or no longer opens.
    fileprivate static var foreignHandle: KeychainError {
        KeychainError(
            .decode,
            "another device made the key, or it ended: with a factory reset, with the passcode that"
                + " it needed, or, if an earlier program made it, with a change of the passcode"
        )
    }
}

extension ElementKeyUse {
    fileprivate func perform(
        _ scheme: KeyScheme,
        with key: PrivateKey
    ) throws(CryptographyError) -> SharedSecret {
        switch (self, scheme) {
        case (.sign(let input), .signature(let algorithm)):
            return SharedSecret(Secret(copying: try key.sign(input, with: algorithm)))
        case (.decrypt(let ciphertext), .encryption(let algorithm, _)):
            do throws(CryptographyError) {
                return SharedSecret(try key.decrypt(ciphertext, with: algorithm))
            } catch .authenticationFailed {
                // The status must differ from that of a key that does not open.
                throw .wrongCiphertext
            }
        case (.agree(let point, let byteCount, let sharedInfo), .exchange(let hash, _)):
            let other = try PublicKey(family: .ellipticCurve, externalRepresentation: point)
            guard let hash else { return SharedSecret(try key.sharedSecret(with: other)) }
            return SharedSecret(
                try key.sharedKey(
                    with: other,
                    sharedInfo: sharedInfo,
                    byteCount: byteCount,
                    hash: hash
                )
            )
        default: throw .invalidInput("the algorithm is for another operation")
        }
    }
}
