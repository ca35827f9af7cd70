import Cryptography
import KeyRepresentation
import KeychainModel
import Secrets

// Writing.
extension TokenModule {
    /// A new object, and its place.
    struct NewObject {
        var draft: TokenObject.Draft
        /// The program's template; nil for a copy, whose template was checked earlier.
        let template: Template?
        let isToken: Bool
        /// The attributes from which the object was made.
        var madeOf: Set<AttributeType> = []
    }

    /// Creates an object from a template.
    ///
    /// - Throws: `sessionReadOnly`, `userNotLoggedIn`, and the errors of the template.
    package func createObject(
        _ session: UInt,
        _ template: Template
    ) throws(ReturnCode) -> UInt {
        let isToken = try template.flag(.token) ?? false
        var draft = try TokenObject.draft(template)
        try draft.take(template)
        return try keep(
            [
                NewObject(
                    draft: draft,
                    template: template,
                    isToken: isToken,
                    madeOf: TokenObject.essence
                )
            ],
            session
        )[0]
    }

    /// Stores objects: all or none in the token, or in the session.
    func keep(_ objects: [NewObject], _ handle: UInt) throws(ReturnCode) -> [UInt] {
        let (session, slot) = try state.withLock { state throws(ReturnCode) in
            let session = try state.session(handle)
            return (session, try state.slot(session.slot))
        }
        var items: [AttributeDictionary] = []
        for new in objects {
            let object = new.draft.object(in: session.slot, .session(handle))
            if let template = new.template {
                try object.check(template, isToken: new.isToken, madeOf: new.madeOf)
            }
            if object.isPrivate || new.isToken && object.objectClass == .data, slot.login == .out {
                throw .userNotLoggedIn
            }
            guard new.isToken else {
                try requireUnlocked(object)
                continue
            }
            guard session.isReadWrite else { throw .sessionReadOnly }
            items.append(try new.draft.item())
        }
        var references = items.isEmpty ? [][...] : try keychain.add(items, to: slot.group)[...]
        var handles: [UInt] = []
        for new in objects {
            var object = new.draft.object(in: session.slot, .session(handle))
            if new.isToken, let reference = references.popFirst() {
                object = try stored(new.draft, reference, in: session.slot)
            }
            let kept = object
            handles.append(
                try state.withLock { state throws(ReturnCode) in
                    _ = try state.session(handle)
                    return try state.remember(kept)
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
        let object = draft.object(in: slot, .session(0))
        let item = TokenObject.StoredItem(itemClass: object.itemClass, reference: reference)
        return try keychain.object(item, object.objectClass, in: slot)
    }

    /// Deletes an object.
    ///
    /// - Throws: `objectHandleInvalid`, `sessionReadOnly`, `actionProhibited`.
    package func destroyObject(_ handle: UInt, of object: UInt) throws(ReturnCode) {
        let (session, found) = try reached(object, in: handle)
        guard found.isTrue(.destroyable) else { throw .actionProhibited }
        if let item = found.item {
            guard session.isReadWrite else { throw .sessionReadOnly }
            try keychain.delete(item)
        }
        state.withLock { $0.forget(object) }
    }

    private func reached(
        _ object: UInt,
        in handle: UInt
    ) throws(ReturnCode) -> (TokenSession, TokenObject) {
        let (session, found) = try state.withLock { state throws(ReturnCode) in
            let session = try state.session(handle)
            return (session, try state.object(object, for: session))
        }
        try requireUnlocked(found)
        return (session, found)
    }

    /// Changes attributes that the table permits a program to change.
    ///
    /// - Throws: `actionProhibited` for an object that cannot change; `attributeReadOnly` for other
    ///   attributes, unless the value stays the same; `attributeTypeInvalid`,
    ///   `attributeValueInvalid`.
    package func setAttributes(
        _ handle: UInt,
        of object: UInt,
        _ template: Template
    ) throws(ReturnCode) {
        var (session, found) = try reached(object, in: handle)
        guard found.item == nil || session.isReadWrite else { throw .sessionReadOnly }
        guard found.isTrue(.modifiable) else { throw .actionProhibited }
        let before = found
        for (type, value) in template.values { try found.change(type, value, inCopy: false) }
        let changes = try found.changes(since: before)
        if let item = found.item, !changes.values.isEmpty {
            try keychain.update(item, with: changes)
        }
        found.forgetValue()
        let changed = found
        state.withLock { state in
            if state.objects[object] != nil { state.objects[object] = changed }
        }
    }

    /// Copies an object, into the token or the session.
    ///
    /// - Throws: `actionProhibited` for an object that cannot be copied, such as a private key of
    ///   the token; the errors of the template.
    package func copyObject(
        _ handle: UInt,
        _ object: UInt,
        _ template: Template
    ) throws(ReturnCode) -> UInt {
        var (_, found) = try reached(object, in: handle)
        guard found.isTrue(.copyable) else { throw .actionProhibited }
        if case .data(let application, nil) = found.content, let item = found.item {
            found.content = .data(application: application, try keychain.value(of: item))
        }
        // A copy inherits the current values.
        if found.objectClass != .privateKey {
            found.kept[.isPrivate] = Encoding.flag(found.isPrivate)
        }
        let isToken = try template.flag(.token) ?? found.isStored
        for (type, value) in template.values where type != .token {
            try found.change(type, value, inCopy: true)
        }
        let copy = TokenObject.Draft(copying: found)
        let source = copy.object(in: found.slot, .session(handle))
        if isToken {
            // As for a new object, an attribute with only one value in the token must have it. A
            // key that requires the passcode each time does not lose that.
            for rule in AttributeRule.rows {
                guard let only = rule.inToken,
                    template.values[rule.type] != nil || rule.type == .alwaysAuthenticate,
                    AttributeRule.row(rule.type, source.objectClass, source.keyType) != nil
                else { continue }
                guard source.says(rule.type, only) else { throw .attributeValueInvalid }
            }
        }
        return try keep([NewObject(draft: copy, template: nil, isToken: isToken)], handle)[0]
    }
}

extension TokenObject {
    /// The attributes from which `C_CreateObject` makes objects.
    static let essence: Set<AttributeType> = [
        .objectClass, .token, .keyType, .certificateType, .application, .value, .modulus,
        .publicExponent, .privateExponent, .prime1, .prime2, .exponent1, .exponent2,
        .coefficient, .curveParameters,
    ]

    /// The class of the item that stores the object in the token.
    var itemClass: ItemClass {
        switch objectClass {
        case .certificate: .certificate
        case .publicKey, .privateKey, .secretKey: .key
        case .data: .genericPassword
        }
    }

    /// Changes an attribute according to its row in the table.
    mutating func change(
        _ type: AttributeType,
        _ value: TemplateValue,
        inCopy: Bool
    ) throws(ReturnCode) {
        guard let rule = AttributeRule.row(type, objectClass, keyType) else {
            throw .attributeTypeInvalid
        }
        guard rule.admits(value) else { throw .attributeValueInvalid }
        if case .data(let application, _) = content, type == .value, !inCopy {
            guard case .secret(let secret) = value else { throw .attributeValueInvalid }
            content = .data(application: application, secret)
            return
        }
        let bytes = value.copyBytesUnprotected
        // NSS and others repeat existing values.
        guard !says(type, bytes) else { return }
        switch rule.change {
        case .always: break
        case .rises: guard bytes == [1] else { throw .attributeReadOnly }
        case .falls: guard bytes == [0] else { throw .attributeReadOnly }
        case .inCopies: guard inCopy else { throw .attributeReadOnly }
        case .never: throw .attributeReadOnly
        }
        switch type {
        case .label: label = bytes
        case .identifier: identifier = bytes
        default:
            guard let use = Uses(type) else { return kept[type] = bytes }
            if bytes == [1] { uses.insert(use) } else { uses.remove(use) }
        }
    }

    /// Returns the changed attributes of the item.
    fileprivate func changes(since before: TokenObject) throws(ReturnCode) -> AttributeDictionary {
        var changes: AttributeDictionary = [:]
        if label != before.label { changes[.label] = .data(label) }
        if identifier != before.identifier { changes[.alias] = .data(identifier) }
        if case .data(_, let value?) = content {
            changes[QueryKey.valueData.rawValue] = .secret(value)
        }
        let (now, then) = (Draft(copying: self), Draft(copying: before))
        for row in Uses.rows where uses.contains(row.use) != before.uses.contains(row.use) {
            guard now.possible.contains(row.use) else { continue }
            changes[row.item] = .number(uses.contains(row.use) ? 1 : 0)
        }
        if kept.flag(.extractable) != before.kept.flag(.extractable), objectClass == .privateKey {
            changes[.isExtractable] = .number(0)
        }
        let kept = now.keptInToken
        if kept != then.keptInToken { changes[.tokenAttributes] = .data(try kept.encoded()) }
        return changes
    }

    /// Forgets the value of a stored object, which is read only when a program requests it.
    fileprivate mutating func forgetValue() {
        guard isStored, case .data(let application, _) = content else { return }
        content = .data(application: application, nil)
    }
}
