import Cryptography
import DataProtection
import KeychainModel
import Secrets

// Definitions  "handle": all of a secure element's key that leaves it.
// Invariants   (1) The private half is in the clear for the length of one use, nowhere else.
//              (2) A use needs the class key and the element: a locked device and another device
//                  refuse it alike.
//
// Source: requirements KEY-06, KEY-07, KEY-16, KEY-17, SAC-13; Documentation/Spec/item.md §8.
extension ItemVault {
    /// Makes a key, and stores what is asked for: the key, its public half, or both together.
    mutating func makeElementKey(
        _ authorized: Authorized<AddQuery>,
        _ conversation: Conversation,
        _ session: inout DeviceSession,
        isPermanent: Bool,
        publicHalf: Authorized<AddQuery>?,
        findings: inout [Finding]
    ) throws(KeychainError) -> ElementKeyHandle {
        let query = authorized.query
        guard profiles.system.hasSecureElement else {
            throw KeychainError(.unimplemented, "this system has no secure element")
        }
        guard !query.isSynchronizable else {
            throw KeychainError(.param, "a key of the secure element stays on its device")
        }
        let gate = try session.makeGate(
            query.protection,
            query.accessControl,
            authorized.prover(query.authentication, conversation)
        )
        let handle = try session.makeHandle(query.protection, query.accessControl, gate)
        var halves: [PreparedItem] = []
        if isPermanent { halves.append(try privateItem(of: handle, authorized)) }
        if let publicHalf {
            halves.append(try publicItem(of: handle, publicHalf, conversation, session))
        }
        guard !halves.isEmpty else { return handle }
        let items = halves
        try inTransaction(&session) { vault, session throws(KeychainError) in
            for half in items {
                _ = try vault.insert(half.item, data: half.data, gate: half.gate, session)
            }
        }
        for half in items where half.item.publicKeyHash != nil {
            findings.append(
                Finding(
                    .suppliedApplicationLabel,
                    verb: .add,
                    item: half.item.itemClass.rawValue,
                    status: .success
                )
            )
        }
        return handle
    }

    /// The handle as an item; who has to release the key is sealed into the handle.
    private func privateItem(
        of handle: ElementKeyHandle,
        _ authorized: Authorized<AddQuery>
    ) throws(KeychainError) -> PreparedItem {
        guard let group = authorized.destination else {
            throw KeychainError(
                .missingEntitlement,
                "the program has no access group to store the key in"
            )
        }
        let query = authorized.query
        let reference = try environment.newReference()
        var item = PlainItem(adding: query, to: group, reference: reference, at: environment.now())
        item.attributes[.tokenID] = .string(ElementKeyHandle.tokenID)
        item.identify(
            byPublicKey: try Self.hash(of: handle),
            label: query.attributes[.applicationLabel]
        )
        return PreparedItem(
            item: item,
            gate: nil,
            data: SharedSecret(Secret(copying: handle.encoded)),
            returns: ReturnShape()
        )
    }

    /// An ordinary key, which is described before its point is known.
    private func publicItem(
        of handle: ElementKeyHandle,
        _ authorized: Authorized<AddQuery>,
        _ conversation: Conversation,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> PreparedItem {
        var prepared = try prepare(authorized, conversation, session)
        prepared.item.identify(
            byPublicKey: try Self.hash(of: handle),
            label: authorized.query.attributes[.applicationLabel]
        )
        prepared.data = SharedSecret(Secret(copying: handle.publicPoint))
        return prepared
    }

    private static func hash(of handle: ElementKeyHandle) throws(KeychainError) -> [UInt8] {
        try fromCryptography(try Digest.sha1(handle.publicPoint))
    }
}

// Making and using keys takes the device alone: no row is read.
extension DeviceSession {
    /// Makes a key in the secure element; its class and its gate guard it.
    fileprivate func makeHandle(
        _ protection: ProtectionClass,
        _ control: AccessControl?,
        _ gate: Gate?
    ) throws(KeychainError) -> ElementKeyHandle {
        let conditions = ElementKeyHandle.conditions(protection, control)
        let made = try fromDevice(try device.makeElementKey(under: conditions))
        let cipher = cipher
        let sealed = try withClassKey(protection) { key throws(CryptographyError) in
            try cipher.seal(
                Secret(copying: made.sealedPrivateHalf),
                conditions + made.publicPoint + (gate?.bytes ?? []),
                gate: gate?.key,
                under: key
            )
        }
        return ElementKeyHandle(
            protection: protection,
            accessControl: control,
            publicPoint: made.publicPoint,
            sealedPrivateHalf: gate.map { GatedHalf.encode(gate: $0.bytes, body: sealed) } ?? sealed
        )
    }

    /// Uses a key once.
    ///
    /// - Throws: `errSecInteractionNotAllowed` while its class is locked; `errSecAuthFailed` when
    ///   its access control does not allow private-key use; `errSecDecode` on another device; a
    ///   challenge while somebody has to be asked.
    func useElementKey(
        _ handle: ElementKeyHandle,
        algorithm: String,
        _ use: ElementKeyUse,
        for prover: Prover
    ) throws(KeychainError) -> SharedSecret {
        if let control = handle.accessControl, !control.flags.contains(.privateKeyUsage) {
            let reason = "the access control does not allow private-key use"
            throw KeychainError(.authFailed, reason)
        }
        guard let scheme = KeyScheme(identifier: algorithm) else {
            throw KeychainError(.param, "there is no algorithm '\(algorithm)'")
        }
        let conditions = ElementKeyHandle.conditions(handle.protection, handle.accessControl)
        let key = try openHandle(handle, conditions, for: prover)
        return try fromDevice(
            try device.withElementKey(key, under: conditions) { key throws(CryptographyError) in
                try use.perform(scheme, with: key)
            }
        )
    }

    /// Refuses a key of another device.
    ///
    /// The class key's wrap tells without opening anything that a gate guards. While the class is
    /// locked nothing can be told, and the first use will.
    /// - Throws: `errSecDecode` for a key of another device; `errSecUnimplemented` where there is
    ///   no secure element.
    func checkElementKey(_ handle: ElementKeyHandle) throws(KeychainError) {
        guard profiles.system.hasSecureElement else {
            throw KeychainError(.unimplemented, "this system has no secure element")
        }
        switch device.unavailability(of: handle.protection) {
        case nil: break
        case .locked?: return
        case let error?: throw KeychainError(error)
        }
        let half = handle.sealedPrivateHalf
        let isGated = handle.accessControl?.constraint != nil
        guard let body = isGated ? GatedHalf(half)?.body : half[...] else {
            throw KeychainError(.decode, "the key has no gate")
        }
        let cipher = cipher
        try openingWithClassKey(handle.protection) { key throws(CipherError) in
            try cipher.checkWrap(of: body, under: key)
        }
    }

    private func openHandle(
        _ handle: ElementKeyHandle,
        _ conditions: [UInt8],
        for prover: Prover
    ) throws(KeychainError) -> ElementKey {
        try requireOpen(handle.protection)
        var body = handle.sealedPrivateHalf[...]
        var gate: Gate?
        if let constraint = handle.accessControl?.constraint {
            guard let half = GatedHalf(handle.sealedPrivateHalf) else {
                throw KeychainError(.decode, "the key has no gate")
            }
            body = half.body
            gate = try pass(half.gate, constraint, for: prover)
        }
        let cipher = cipher
        let half = try openingWithClassKey(handle.protection) { key throws(CipherError) in
            try cipher.open(
                body,
                conditions + handle.publicPoint + (gate?.bytes ?? []),
                gate: gate?.key,
                under: key
            )
        }
        return ElementKey(
            publicPoint: handle.publicPoint,
            sealedPrivateHalf: half.copyBytesUnprotected()
        )
    }

    /// Lends a class key to open what was sealed under it.
    private func openingWithClassKey<R: ~Copyable>(
        _ protection: ProtectionClass,
        _ body: (borrowing ClassKey) throws(CipherError) -> R
    ) throws(KeychainError) -> R {
        try fromCipher(
            try device.withClassKey(protection, else: CipherError.init(unavailable:), body)
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
            return SharedSecret(try key.decrypt(ciphertext, with: algorithm))
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
