import Cryptography
import KeyRepresentation
import KeychainModel
import Secrets

/// The value of an attribute, in the form that a program gets.
package enum AttributeReply: Sendable {
    case bytes([UInt8])
    case secret(SharedSecret)
    case sensitive
    case unknown
}

// Searching and reading.
extension TokenModule {
    /// Starts a search.
    ///
    /// - Throws: `operationActive`, and the reason why the keychain does not answer.
    package func beginSearch(_ handle: UInt, _ template: Template) throws(ReturnCode) {
        let (session, slot) = try state.withLock { state throws(ReturnCode) in
            let session = try state.session(handle)
            guard session.found == nil else { throw .operationActive }
            return (session, try state.slot(session.slot))
        }
        let wanted = Self.classes(template, seesPrivate: slot.login != .out)
        let label = template.bytes(.label).flatMap { $0.isEmpty ? nil : $0 }
        let stored = try keychain.objects(
            in: session.slot,
            of: slot.group,
            wanted,
            label: label
        )
        let namesKeys = template.namesKeys
        let matches = stored.filter { object in
            (namesKeys || listsEverything || !object.isOfNewerType)
                && (slot.login != .out || !object.isPrivate) && object.matches(template)
        }
        let seesPrivate = try seesPrivateObjects(ofSessionsIn: session.slot)
        try state.withLock { state throws(ReturnCode) in
            guard try state.session(handle).found == nil else { throw .operationActive }
            var found: [UInt] = []
            for object in matches { found.append(try state.remember(object)) }
            let living = state.objects.filter { _, object in
                !object.isStored && object.slot == session.slot
                    && (seesPrivate || !object.isPrivate) && object.matches(template)
            }
            state.sessions[handle]?.found = (found + living.keys.sorted())[...]
        }
    }

    /// Whether private objects in sessions of a slot are visible.
    ///
    /// Queries the keychain only if there are any.
    private func seesPrivateObjects(ofSessionsIn slot: UInt) throws(ReturnCode) -> Bool {
        let matters = try state.withLock { state throws(ReturnCode) in
            guard try state.slot(slot).login != .out else { return false }
            return state.objects.values.contains {
                $0.slot == slot && !$0.isStored && $0.isPrivate
            }
        }
        guard matters else { return false }
        return try keychain.status().isProtectedDataAvailable
    }

    /// Checks that the keychain is unlocked for a private object of a session.
    ///
    /// For items the keychain itself decides, because it knows what each lock closes.
    /// - Throws: `userNotLoggedIn` if the keychain is locked.
    func requireUnlocked(_ object: TokenObject) throws(ReturnCode) {
        guard object.isPrivate, !object.isStored else { return }
        guard try keychain.status().isProtectedDataAvailable else { throw .userNotLoggedIn }
    }

    /// Returns the classes of stored objects that a template can match.
    private static func classes(_ template: Template, seesPrivate: Bool) -> Set<ObjectClass> {
        var classes: Set<ObjectClass> = [.certificate, .publicKey, .data]
        if seesPrivate { classes.insert(.privateKey) }
        let named: ObjectClass?
        do throws(ReturnCode) {
            if try template.flag(.token) == false { return [] }
            if try template.flag(.isPrivate) == false { classes.remove(.privateKey) }
            guard template.values[.objectClass] != nil else { return classes }
            named = try template.objectClass()
        } catch {
            return []
        }
        return named.map { classes.intersection([$0]) } ?? []
    }

    /// Returns the next objects of a search.
    ///
    /// - Throws: `operationNotInitialized`.
    package func nextFound(_ handle: UInt, limit: Int) throws(ReturnCode) -> [UInt] {
        try state.withLock { state throws(ReturnCode) in
            guard let found = try state.session(handle).found else {
                throw .operationNotInitialized
            }
            state.sessions[handle]?.found = found.dropFirst(limit)
            return Array(found.prefix(limit))
        }
    }

    /// Ends a search.
    ///
    /// - Throws: `operationNotInitialized`.
    package func endSearch(_ handle: UInt) throws(ReturnCode) {
        try state.withLock { state throws(ReturnCode) in
            guard try state.session(handle).found != nil else { throw .operationNotInitialized }
            state.sessions[handle]?.found = nil
        }
    }

    /// Reads attributes of an object.
    ///
    /// - Throws: `objectHandleInvalid`; `userNotLoggedIn` for locked attributes.
    package func attributes(
        _ session: UInt,
        of handle: UInt,
        _ types: [AttributeType]
    ) throws(ReturnCode) -> [AttributeReply] {
        var (object, group) = try state.withLock { state throws(ReturnCode) in
            let session = try state.session(session)
            let group = try state.slot(session.slot).group
            return (try state.object(handle, for: session), group)
        }
        try requireUnlocked(object)
        if object.isPrivate, let item = object.item {
            let present = try keychain.object(item, object.objectClass, in: object.slot)
            try state.withLock { state throws(ReturnCode) in
                guard state.objects[handle] != nil else { return }
                _ = try state.remember(present)
                object = state.objects[handle] ?? present
            }
        }
        var replies: [AttributeReply] = []
        for type in types { replies.append(try reply(type, &object, handle, group)) }
        return replies
    }

    private func reply(
        _ type: AttributeType,
        _ object: inout TokenObject,
        _ handle: UInt,
        _ group: String
    ) throws(ReturnCode) -> AttributeReply {
        switch object.answer(type) {
        case .bytes(let bytes): return .bytes(bytes)
        case .secret(let secret): return .secret(secret)
        case .sensitive: return .sensitive
        case .unknown: return .unknown
        case .needsValue:
            guard let item = object.item else { return .unknown }
            return .secret(try keychain.value(of: item))
        case .needsPublicKey:
            guard case .privateKey(var key) = object.content, let item = object.item else {
                return .unknown
            }
            key.publicKey = try keychain.publicKey(key.publicKeyHash, of: item, in: group)
            object.content = .privateKey(key)
            let complete = object
            state.withLock { state in
                if state.objects[handle] != nil { state.objects[handle] = complete }
            }
            // The object has the value now, so the recursion ends.
            return try reply(type, &object, handle, group)
        }
    }
}

extension Template {
    /// Whether a search is restricted by more than the class of its objects.
    fileprivate var namesKeys: Bool {
        [AttributeType.keyType, .label, .identifier, .curvePoint, .curveParameters, .publicKeyInfo]
            .contains { values[$0] != nil }
    }
}

extension TokenObject {
    /// Whether the key's type is missing in PKCS #11 2.40.
    ///
    /// OpenSSL's engine (libp11 0.4) gives up a whole token at the first key of an unknown type. A
    /// general search for keys therefore does not return such keys.
    fileprivate var isOfNewerType: Bool { keyType == .edwards || keyType == .montgomery }
}
