// Items: their methods and properties.
extension SecretServiceMachine {
    private static let labelName = InterfaceTable.itemName + ".Label"
    private static let attributesName = InterfaceTable.itemName + ".Attributes"

    mutating func createItem(_ call: CheckedCall) throws(SecretServiceError) -> [BusValue] {
        guard case .properties(let properties) = call.arguments[0],
            case .flag(let replaces) = call.arguments[2],
            case .collection(let collection) = call.object
        else { throw .wrongArguments }
        let content = try content(properties)
        let secret = try decode(call.arguments[1], of: call.sender)
        let store = store(of: collection)
        if replaces, let name = try twin(of: content.attributes, in: collection) {
            try store.update(name, with: ItemChange(label: content.label, secret: secret))
            announceChange(of: name, ["Label": .text(content.label)])
            return [.path(name.path), .path(ObjectPath.none)]
        }
        let name = try store.add(content, secret, to: collection)
        signal(call.object, "ItemCreated", [.path(name.path)])
        return [.path(name.path), .path(ObjectPath.none)]
    }

    private func content(
        _ properties: [String: BusValue]
    ) throws(SecretServiceError) -> ItemContent {
        var content = ItemContent()
        if let value = properties[Self.labelName] {
            guard case .text(let label) = value else { throw .wrongArguments }
            content.label = label
        }
        if let value = properties[Self.attributesName] {
            guard case .attributes(let attributes) = value else { throw .wrongArguments }
            content.attributes = attributes
        }
        try limits.check(label: content.label)
        try limits.check(attributes: content.attributes)
        return content
    }

    /// Returns the first item of a collection with exactly these attributes.
    private func twin(
        of attributes: [String: String],
        in collection: String
    ) throws(SecretServiceError) -> ItemName? {
        let store = store(of: collection)
        let found = try store.search(attributes, in: collection)
        guard found.locked.isEmpty else { throw .isLocked }
        for name in found.unlocked {
            guard case .open(let content, _, _)? = try store.item(name) else { continue }
            if content.attributes == attributes { return name }
        }
        return nil
    }

    private func name(of object: ObjectPath) throws(SecretServiceError) -> ItemName {
        guard case .item(let name) = object else { throw .noSuchObject(object.text) }
        return name
    }

    /// Returns an item's content and times; nil while it is locked.
    ///
    /// - Throws: `noSuchObject` if there is no such item.
    mutating func openItem(
        _ object: ObjectPath
    ) throws(SecretServiceError) -> (content: ItemContent, created: UInt64, modified: UInt64)? {
        let name = try name(of: object)
        if readItem?.name != name {
            readItem = (name, try store(of: name.collection).item(name))
        }
        guard let item = readItem?.item else { throw .noSuchObject(object.text) }
        guard name.collection != CollectionRecord.session.name else { return item.open }
        note(isLocked: item == .locked)
        return item.open
    }

    mutating func deleteItem(_ call: CheckedCall) throws(SecretServiceError) -> [BusValue] {
        let name = try name(of: call.object)
        try store(of: name.collection).delete(name)
        signal(.collection(name.collection), "ItemDeleted", [.path(name.path)])
        return [.path(ObjectPath.none)]
    }

    mutating func getSecret(_ call: CheckedCall) throws(SecretServiceError) -> [BusValue] {
        guard case .path(let place) = call.arguments[0] else { throw .wrongArguments }
        let session = try session(at: place, of: call.sender)
        let name = try name(of: call.object)
        let secret = try store(of: name.collection).secret(of: name)
        return [.secret(try session.encode(secret, for: place, random: random))]
    }

    mutating func setSecret(_ call: CheckedCall) throws(SecretServiceError) -> [BusValue] {
        let secret = try decode(call.arguments[0], of: call.sender)
        let name = try name(of: call.object)
        try store(of: name.collection).update(name, with: ItemChange(secret: secret))
        announceChange(of: name, [:])
        return []
    }

    mutating func setItem(
        _ object: ObjectPath,
        _ property: String,
        _ value: BusValue
    ) throws(SecretServiceError) {
        var change = ItemChange()
        switch value {
        case .text(let label):
            try limits.check(label: label)
            change.label = label
        case .attributes(let attributes):
            try limits.check(attributes: attributes)
            change.attributes = attributes
        default: throw .wrongArguments
        }
        let name = try name(of: object)
        try store(of: name.collection).update(name, with: change)
        announceChange(of: name, [property: value])
    }

    private mutating func announceChange(of name: ItemName, _ properties: [String: BusValue]) {
        signal(.collection(name.collection), "ItemChanged", [.path(name.path)])
        var properties = properties
        if let item = try? store(of: name.collection).item(name), let open = item.open {
            properties["Modified"] = .time(open.modified)
        }
        changed(name.path, InterfaceTable.itemName, properties)
    }
}

extension StoredItem {
    /// The content and times; nil while the item is locked.
    fileprivate var open: (content: ItemContent, created: UInt64, modified: UInt64)? {
        if case .open(let content, let created, let modified) = self {
            (content, created, modified)
        } else {
            nil
        }
    }
}
