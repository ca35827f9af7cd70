import Cryptography
import DataProtection
import KeychainModel
import Secrets

// Using keys of the secure element by their handles, wherever those were kept.
//
// Source: requirements KEY-06, KEY-07, KEY-11, SAC-13; Documentation/Spec/item.md §8.
extension ItemVault {
    /// Uses a key once.
    ///
    /// - Throws: `errSecInteractionNotAllowed` while its class is locked; `errSecAuthFailed` when
    ///   its access control does not allow private-key use; `errSecDecode` on another device and
    ///   when nobody can use it any more; a challenge while somebody has to be asked.
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

    /// Refuses a key of another device.
    ///
    /// The wrap of the handle's own key tells without opening anything that a gate guards. While
    /// the class is locked only the name of the key set can be told, and the first use will.
    /// - Throws: `errSecDecode` for a key of another device; `errSecUnimplemented` where there is
    ///   no secure element.
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

    /// Whether the handle that a stored key consists of opens, as far as nobody has to be asked.
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
        // Nobody is asked about a key that does not open.
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

    /// Passes the gate of a key, or says that the key ended, if nothing opens the gate any more.
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

    /// The random key of a handle, from under its handle key or, in version 1, its class key.
    ///
    /// - Throws: `errSecDecode` for a handle that was not made by this keychain, or that ended.
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
    /// The sealed half, and the gate in front of it if the access control has a constraint.
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
    /// A handle that this keychain did not make, or that it does not open any more.
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
                // Not to be taken for a key that does not open.
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
