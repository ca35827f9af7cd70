import Cryptography
import KeyRepresentation
import KeychainModel
import Secrets

/// The value of an attribute, as a program gets it.
package enum AttributeReply: Sendable {
    case bytes([UInt8])
    case secret(SharedSecret)
    case sensitive
    case unknown
}

// Searching and reading.
extension TokenModule {
    /// Begins a search.
    ///
    /// - Throws: `operationActive`, and why the keychain does not answer.
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
        let matches = stored.filter { $0.matches(template) }
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

    /// Whether private objects that live in sessions of a slot are seen; asks the keychain only
    /// where there are some.
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

    /// Insists that the keychain is unlocked for a private object of a session.
    ///
    /// Items are left to the keychain, which knows what each lock closes.
    /// - Throws: `userNotLoggedIn`.
    func requireUnlocked(_ object: TokenObject) throws(ReturnCode) {
        guard object.isPrivate, !object.isStored else { return }
        guard try keychain.status().isProtectedDataAvailable else { throw .userNotLoggedIn }
    }

    /// The classes of stored objects that a template can match.
    private static func classes(_ template: Template, seesPrivate: Bool) -> Set<ObjectClass> {
        var classes: Set<ObjectClass> = [.certificate, .publicKey]
        if seesPrivate { classes.formUnion([.privateKey, .data]) }
        let named: ObjectClass?
        do throws(ReturnCode) {
            if try template.flag(.token) == false { return [] }
            if let isPrivate = try template.flag(.isPrivate) {
                let openly: Set<ObjectClass> = [.certificate, .publicKey]
                classes = isPrivate ? classes.subtracting(openly) : openly
            }
            guard template.values[.objectClass] != nil else { return classes }
            named = try template.objectClass()
        } catch {
            return []
        }
        return named.map { classes.intersection([$0]) } ?? []
    }

    /// The next objects of a search.
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
    /// - Throws: `objectHandleInvalid`, `userNotLoggedIn` for what is locked.
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
            // It is known now, so this ends.
            return try reply(type, &object, handle, group)
        }
    }
}

// Writing.
extension TokenModule {
    /// Makes an object of a template.
    ///
    /// - Throws: `sessionReadOnly`, `userNotLoggedIn`, and what is wrong with the template.
    package func createObject(
        _ session: UInt,
        _ template: Template
    ) throws(ReturnCode) -> UInt {
        let isToken = try template.flag(.token) ?? false
        let draft = try TokenObject.draft(template)
        return try keep([(draft, template, isToken)], session)[0]
    }

    /// Keeps drafts: in the token, all or none, or in the session.
    func keep(
        _ drafts: [(draft: TokenObject.Draft, template: Template, isToken: Bool)],
        _ handle: UInt
    ) throws(ReturnCode) -> [UInt] {
        let (session, slot) = try state.withLock { state throws(ReturnCode) in
            let session = try state.session(handle)
            return (session, try state.slot(session.slot))
        }
        var items: [AttributeDictionary] = []
        for draft in drafts {
            guard draft.isToken else {
                let object = try living(draft.draft, draft.template, handle, session.slot)
                if object.isPrivate, slot.login == .out { throw .userNotLoggedIn }
                try requireUnlocked(object)
                continue
            }
            guard session.isReadWrite else { throw .sessionReadOnly }
            if draft.draft.isPrivate, slot.login == .out { throw .userNotLoggedIn }
            items.append(
                try draft.draft.item(
                    label: draft.template.bytes(.label) ?? [],
                    identifier: draft.template.bytes(.identifier) ?? []
                )
            )
        }
        var references = items.isEmpty ? [][...] : try keychain.add(items, to: slot.group)[...]
        var handles: [UInt] = []
        for draft in drafts {
            let object: TokenObject
            if draft.isToken, let reference = references.popFirst() {
                object = try stored(draft.draft, reference, in: session.slot)
            } else {
                object = try living(draft.draft, draft.template, handle, session.slot)
            }
            handles.append(
                try state.withLock { state throws(ReturnCode) in
                    _ = try state.session(handle)
                    return try state.remember(object)
                }
            )
        }
        return handles
    }

    private func stored(
        _ draft: TokenObject.Draft,
        _ reference: [UInt8],
        in slot: UInt
    ) throws(ReturnCode) -> TokenObject {
        let item = TokenObject.StoredItem(itemClass: draft.itemClass, reference: reference)
        return try keychain.object(item, draft.objectClass, in: slot)
    }

    private func living(
        _ draft: TokenObject.Draft,
        _ template: Template,
        _ session: UInt,
        _ slot: UInt
    ) throws(ReturnCode) -> TokenObject {
        TokenObject(
            slot: slot,
            place: .session(session),
            label: template.bytes(.label) ?? [],
            identifier: template.bytes(.identifier) ?? [],
            content: draft.content,
            uses: draft.uses,
            isMarkedPrivate: try template.flag(.isPrivate) ?? false
        )
    }

    /// Deletes an object.
    ///
    /// - Throws: `objectHandleInvalid`, `sessionReadOnly`.
    package func destroyObject(_ handle: UInt, of object: UInt) throws(ReturnCode) {
        let (session, found) = try state.withLock { state throws(ReturnCode) in
            let session = try state.session(handle)
            return (session, try state.object(object, for: session))
        }
        try requireUnlocked(found)
        if let item = found.item {
            guard session.isReadWrite else { throw .sessionReadOnly }
            try keychain.delete(item)
        }
        state.withLock { $0.forget(object) }
    }

    /// Changes label, identifier or value of an object.
    ///
    /// - Throws: `attributeReadOnly` for all other attributes, unless they stay as they are.
    package func setAttributes(
        _ handle: UInt,
        of object: UInt,
        _ template: Template
    ) throws(ReturnCode) {
        var (session, found) = try state.withLock { state throws(ReturnCode) in
            let session = try state.session(handle)
            return (session, try state.object(object, for: session))
        }
        guard found.item == nil || session.isReadWrite else { throw .sessionReadOnly }
        try requireUnlocked(found)
        var changes: AttributeDictionary = [:]
        for (type, value) in template.values {
            try change(type, value, of: &found, &changes)
        }
        if let item = found.item, !changes.values.isEmpty {
            try keychain.update(item, with: changes)
        }
        let changed = found
        state.withLock { state in
            if state.objects[object] != nil { state.objects[object] = changed }
        }
    }

    private func change(
        _ type: AttributeType,
        _ value: TemplateValue,
        of object: inout TokenObject,
        _ changes: inout AttributeDictionary
    ) throws(ReturnCode) {
        let bytes = value.copyBytesUnprotected
        switch (type, object.content) {
        case (.label, _):
            object.label = bytes
            changes[.label] = .data(bytes)
        case (.identifier, .certificate), (.identifier, .publicKey), (.identifier, .privateKey):
            object.identifier = bytes
            changes[.alias] = .data(bytes)
        case (.value, .data(let application, _)):
            guard case .secret(let secret) = value else { throw .attributeValueInvalid }
            changes[QueryKey.valueData.rawValue] = .secret(secret)
            object.content = .data(application: application, object.isStored ? nil : secret)
        default:
            // NSS and others repeat what is so already, and set the subject of a key.
            if case .bytes(let present) = object.answer(type), present == bytes { return }
            guard type == .subject, object.isKey else { throw .attributeReadOnly }
        }
    }
}

extension TokenObject {
    fileprivate var isKey: Bool {
        switch content {
        case .publicKey, .privateKey: true
        case .certificate, .data, .secretKey: false
        }
    }
}

extension TokenObject.Draft {
    fileprivate var objectClass: ObjectClass {
        switch content {
        case .certificate: .certificate
        case .publicKey: .publicKey
        case .privateKey: .privateKey
        case .data: .data
        case .secretKey: .secretKey
        }
    }

    fileprivate var isPrivate: Bool { objectClass == .privateKey || objectClass == .data }

    fileprivate var itemClass: ItemClass {
        switch content {
        case .certificate: .certificate
        case .publicKey, .privateKey, .secretKey: .key
        case .data: .genericPassword
        }
    }
}
