import Cryptography
import DataProtection
import KeychainModel
import Secrets

// Creates keys in the secure element; `ElementKeyUse.swift` uses them.
//
// Definitions  "handle": the part of a secure element's key that leaves the element.
// Invariants   (1) The private half is in the clear during one use only.
//              (2) A use needs both the class key and the element: a locked device refuses it, and
//                  so does another device.
//              (3) A handle stays valid as long as its key, because programs keep it.
//
// Source: requirements KEY-06, KEY-07, KEY-16, KEY-17, SAC-13; Documentation/Spec/item.md §8.
extension ItemVault {
    /// Creates a key, and stores the requested halves: the key, its public half, or both at once.
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
        let key = try newestHandleKey(of: query.protection, &session)
        let handle = try makeHandle(query.accessControl, gate, under: key, session)
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

    /// Creates a key in the secure element, guarded by its class and its gate.
    private func makeHandle(
        _ control: AccessControl?,
        _ gate: Gate?,
        under key: HandleKey,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> ElementKeyHandle {
        let conditions = ElementKeyHandle.conditions(key.protection, control)
        let made = try fromDevice(try session.device.makeElementKey(under: conditions))
        let sealed = try fromCryptography(
            try cipher.seal(
                Secret(copying: made.sealedPrivateHalf),
                conditions + made.publicPoint + (gate?.bytes ?? []),
                gate: gate?.key,
                under: key
            )
        )
        return ElementKeyHandle(
            protection: key.protection,
            accessControl: control,
            publicPoint: made.publicPoint,
            keySet: key.keySet,
            sealedPrivateHalf: gate.map { GatedHalf.encode(gate: $0.bytes, body: sealed) } ?? sealed
        )
    }

    /// Prepares a key that this device created earlier, as an item to add by reference.
    ///
    /// The conditions of its use were fixed at its creation; the caller cannot change them.
    /// - Throws: `errSecParam` for bytes that are not such a key, and for a synchronizable item;
    ///   `errSecDecode` for a key of another device.
    func preparedElementKey(
        _ authorized: Authorized<AddQuery>,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> PreparedItem {
        let query = authorized.query
        guard let bytes = query.data?.secret.copyBytesUnprotected(),
            let handle = ElementKeyHandle(decoding: bytes),
            query.publicKeyHash == (try Self.hash(of: handle))
        else {
            throw KeychainError(
                .param,
                "a key of the secure element is made there, or added by its reference"
            )
        }
        guard !query.isSynchronizable else {
            throw KeychainError(.param, "a key of the secure element stays on its device")
        }
        try checkElementKey(handle, session)
        var prepared = try privateItem(of: handle, authorized)
        prepared.item.protection = handle.protection
        prepared.item.accessControl = handle.accessControl
        prepared.returns = query.returns
        return prepared
    }

    /// Returns the handle as an item; its access control is sealed into the handle, not the item.
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
        item.hasNoValue = false
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

    /// Returns the public half as an ordinary key; its attributes were described before its point.
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
        prepared.item.hasNoValue = false
        return prepared
    }

    private static func hash(of handle: ElementKeyHandle) throws(KeychainError) -> [UInt8] {
        try fromCryptography(try Digest.sha1(handle.publicPoint))
    }
}
