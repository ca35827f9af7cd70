// Collections and their aliases.
extension SecretServiceMachine {
    static let defaultAlias = "default"
    private static let aliasByteCountLimit = 64

    /// Returns every collection, with the one in memory last.
    func records() throws(SecretServiceError) -> [CollectionRecord] {
        try store.collections() + memory.collections()
    }

    func record(of object: ObjectPath) throws(SecretServiceError) -> CollectionRecord {
        guard case .collection(let name) = object,
            let record = try records().first(where: { $0.name == name })
        else { throw .noSuchObject(object.text) }
        return record
    }

    func collectionPaths() throws(SecretServiceError) -> BusValue {
        .paths(try records().map { ObjectPath.collection($0.name).text })
    }

    /// Returns the name of the collection with an alias; nil if there is none.
    func collectionName(ofAlias alias: String) throws(SecretServiceError) -> String? {
        if alias == CollectionRecord.session.name { return alias }
        if let record = try store.collections().first(where: { $0.aliases.contains(alias) }) {
            return record.name
        }
        return switch alias {
        case Self.defaultAlias: store.defaultCollection
        // gnome-keyring's name for this collection, which its clients use.
        case CollectionRecord.login.name: alias
        default: nil
        }
    }

    mutating func readAlias(_ call: CheckedCall) throws(SecretServiceError) -> [BusValue] {
        guard case .text(let alias) = call.arguments[0] else { throw .wrongArguments }
        let name = try collectionName(ofAlias: alias)
        return [.path(name.map { ObjectPath.collection($0).text } ?? ObjectPath.none)]
    }

    mutating func setAlias(_ call: CheckedCall) throws(SecretServiceError) -> [BusValue] {
        guard case .text(let alias) = call.arguments[0], case .path(let path) = call.arguments[1]
        else { throw .wrongArguments }
        try check(alias: alias)
        guard alias != CollectionRecord.session.name else {
            throw SecretServiceError(.notSupported, "the alias session stays as it is")
        }
        guard path != ObjectPath.none else {
            try move(alias: alias, to: nil)
            return []
        }
        guard let named = ObjectPath(path, limit: limits.pathByteCount) else {
            throw .noSuchObject(path)
        }
        let record = try record(of: try resolve(named))
        guard record.name != CollectionRecord.session.name else {
            throw SecretServiceError(.notSupported, "the session collection has one alias")
        }
        try move(alias: alias, to: record.name)
        return []
    }

    private func check(alias: String) throws(SecretServiceError) {
        let isWord = alias.utf8.allSatisfy { ObjectPath.isElement($0) || $0 == UInt8(ascii: "-") }
        guard !alias.isEmpty, alias.utf8.count <= Self.aliasByteCountLimit, isWord else {
            let reason = "an alias has 1 to 64 letters, digits, _ and -"
            throw SecretServiceError(.invalidArguments, reason)
        }
    }

    /// Moves an alias from its collection to another one.
    private func move(alias: String, to name: String?) throws(SecretServiceError) {
        for var record in try store.collections() {
            let hasAlias = record.aliases.contains(alias)
            guard hasAlias != (record.name == name) else { continue }
            if hasAlias {
                record.aliases.removeAll { $0 == alias }
            } else {
                guard record.aliases.count < limits.aliases else {
                    throw SecretServiceError(.limitsExceeded, "too many aliases of a collection")
                }
                record.aliases.append(alias)
            }
            try store.save(record)
        }
    }

    mutating func createCollection(_ call: CheckedCall) throws(SecretServiceError) -> [BusValue] {
        guard case .properties(let properties) = call.arguments[0],
            case .text(let alias) = call.arguments[1]
        else { throw .wrongArguments }
        var label = ""
        if let value = properties[InterfaceTable.collectionName + ".Label"] {
            guard case .text(let text) = value else { throw .wrongArguments }
            label = text
        }
        try limits.check(label: label)
        if !alias.isEmpty {
            try check(alias: alias)
            if let name = try collectionName(ofAlias: alias) {
                return [.path(ObjectPath.collection(name).text), .path(ObjectPath.none)]
            }
        }
        guard try !isKeychainLocked() else {
            let prompt = try addPrompt(
                .createCollection(label: label, alias: alias),
                for: call.sender
            )
            return [.path(ObjectPath.none), .path(prompt)]
        }
        let path = try addCollection(label: label, alias: alias)
        return [.path(path), .path(ObjectPath.none)]
    }

    /// Makes a collection, and returns its path.
    mutating func addCollection(
        label: String,
        alias: String
    ) throws(SecretServiceError) -> String {
        let records = try records()
        guard records.count < limits.collections else {
            throw SecretServiceError(.limitsExceeded, "too many collections")
        }
        let name = Self.collectionName(
            for: label,
            after: store.collectionPrefix,
            besides: Set(records.map(\.name))
        )
        try store.save(
            CollectionRecord(name: name, label: label, aliases: alias.isEmpty ? [] : [alias])
        )
        let path = ObjectPath.collection(name).text
        signal(.service, "CollectionCreated", [.path(path)])
        changed(
            ObjectPath.root,
            InterfaceTable.serviceName,
            ["Collections": try collectionPaths()]
        )
        return path
    }

    /// Returns an unused name for a collection, made of the label's letters and digits.
    static func collectionName(
        for label: String,
        after prefix: String = "",
        besides taken: Set<String>
    ) -> String {
        let letters = label.lowercased().utf8.prefix(32).map { byte in
            ObjectPath.isElement(byte) ? byte : UInt8(ascii: "_")
        }
        let word =
            prefix
            + (letters.isEmpty ? "collection" : String(decoding: letters, as: UTF8.self))
        guard taken.contains(word) else { return word }
        let names = (2...(taken.count + 2)).lazy.map { "\(word)_\($0)" }
        return names.first { !taken.contains($0) } ?? word
    }

    mutating func deleteCollection(_ call: CheckedCall) throws(SecretServiceError) -> [BusValue] {
        let record = try record(of: call.object)
        guard record.name != CollectionRecord.login.name,
            record.name != CollectionRecord.session.name
        else {
            let reason = "the collections login and session cannot be deleted"
            throw SecretServiceError(.notSupported, reason)
        }
        for item in try store.deleteCollection(record.name) {
            signal(call.object, "ItemDeleted", [.path(item.path)])
        }
        signal(.service, "CollectionDeleted", [.path(call.object.text)])
        changed(
            ObjectPath.root,
            InterfaceTable.serviceName,
            ["Collections": try collectionPaths()]
        )
        return [.path(ObjectPath.none)]
    }

    mutating func searchCollection(_ call: CheckedCall) throws(SecretServiceError) -> [BusValue] {
        guard case .attributes(let attributes) = call.arguments[0],
            case .collection(let name) = call.object
        else { throw .wrongArguments }
        let found = try search(attributes, in: name)
        return [.paths((found.unlocked + found.locked).map(\.path))]
    }
}

// The properties of a collection.
extension SecretServiceMachine {
    mutating func itemPaths(of object: ObjectPath) throws(SecretServiceError) -> BusValue {
        guard case .collection(let name) = object else { throw .noSuchObject(object.text) }
        return .paths(try store(of: name).items(of: name).map(\.path))
    }

    mutating func isLocked(collection object: ObjectPath) throws(SecretServiceError) -> BusValue {
        guard case .collection(let name) = object, name != CollectionRecord.session.name else {
            return .flag(false)
        }
        let isClosed = try store.isClosed(name)
        return .flag(try isKeychainLocked() || isClosed)
    }

    mutating func setCollectionLabel(
        _ value: BusValue,
        of object: ObjectPath
    ) throws(SecretServiceError) {
        guard case .text(let label) = value else { throw .wrongArguments }
        try limits.check(label: label)
        var record = try record(of: object)
        record.label = label
        try store(of: record.name).save(record)
        signal(.service, "CollectionChanged", [.path(object.text)])
        changed(object.text, InterfaceTable.collectionName, ["Label": .text(label)])
    }
}
