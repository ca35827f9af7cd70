// Properties and introspection, from the table.
extension SecretServiceMachine {
    mutating func getProperty(_ call: CheckedCall) throws(SecretServiceError) -> [BusValue] {
        let row = try property(call)
        return [.variant(try row.get(&self, call.object))]
    }

    mutating func setProperty(_ call: CheckedCall) throws(SecretServiceError) -> [BusValue] {
        let row = try property(call)
        guard let set = row.set else {
            throw SecretServiceError(.readOnly, "\(row.name) can only be read")
        }
        guard case .variant(let value) = call.arguments[2], value.signature == row.type else {
            throw SecretServiceError(.invalidArguments, "\(row.name) is of type \(row.type)")
        }
        try set(&self, call.object, value)
        return []
    }

    /// Returns the properties of one interface, or of all if the call names none.
    mutating func getProperties(_ call: CheckedCall) throws(SecretServiceError) -> [BusValue] {
        guard case .text(let interface) = call.arguments[0] else { throw .wrongArguments }
        var values: [String: BusValue] = [:]
        for row in try interfaces(interface, of: call.object) {
            for property in row.properties {
                values[property.name] = try property.get(&self, call.object)
            }
        }
        return [.properties(values)]
    }

    private func property(_ call: CheckedCall) throws(SecretServiceError) -> PropertyRow {
        guard case .text(let interface) = call.arguments[0],
            case .text(let name) = call.arguments[1]
        else { throw .wrongArguments }
        let rows = try interfaces(interface, of: call.object).flatMap(\.properties)
        guard let row = rows.first(where: { $0.name == name }) else {
            throw SecretServiceError(.unknownProperty, "there is no property \(name)")
        }
        return row
    }

    private func interfaces(
        _ name: String,
        of object: ObjectPath
    ) throws(SecretServiceError) -> [InterfaceRow] {
        let rows = InterfaceTable.rows(of: object.kind).filter { name.isEmpty || $0.name == name }
        guard !rows.isEmpty else {
            throw SecretServiceError(.unknownInterface, "the object has no interface \(name)")
        }
        return rows
    }
}

extension SecretServiceMachine {
    mutating func introspect(_ call: CheckedCall) throws(SecretServiceError) -> [BusValue] {
        if case .item = call.object { _ = try openItem(call.object) }
        let page = Introspection.page(
            InterfaceTable.rows(of: call.object.kind),
            children: try children(of: call.object, for: call.sender)
        )
        return [.text(page)]
    }

    private static let folders = ["aliases", "collection", "prompt", "session"]

    private func children(
        of object: ObjectPath,
        for client: String
    ) throws(SecretServiceError) -> [String] {
        switch object {
        case .service: return Self.folders
        case .collection(let name): return try store(of: name).items(of: name).map(\.identifier)
        default: return []
        }
    }

    /// Answers `Introspect` for a path above objects, which is not an object itself.
    func describeFolder(_ call: BusCall) throws(SecretServiceError) -> [BusValue] {
        let isIntrospection =
            call.member == "Introspect" && call.arguments.isEmpty
            && (call.interface == nil || call.interface == InterfaceTable.introspectableName)
        guard isIntrospection, let children = try children(ofFolder: call) else {
            throw .noSuchObject(call.path)
        }
        return [.text(Introspection.page([], children: children))]
    }

    private func children(ofFolder call: BusCall) throws(SecretServiceError) -> [String]? {
        switch call.path {
        case "/": return ["org"]
        case "/org": return ["freedesktop"]
        case "/org/freedesktop": return ["secrets"]
        case ObjectPath.root + "/collection": return try records().map(\.name)
        case ObjectPath.root + "/aliases":
            return Set(
                try store.collections().flatMap(\.aliases)
                    + [Self.defaultAlias, CollectionRecord.session.name]
            ).sorted()
        case ObjectPath.root + "/session":
            return sessions.filter { $0.value.client == call.sender }.keys.sorted().map(String.init)
        case ObjectPath.root + "/prompt":
            return prompts.filter { $0.value.client == call.sender }.keys.sorted().map(String.init)
        default: return nil
        }
    }
}

extension ObjectPath {
    fileprivate var kind: ObjectKind {
        switch self {
        case .service: .service
        case .collection, .alias: .collection
        case .item, .aliasedItem: .item
        case .session: .session
        case .prompt: .prompt
        }
    }
}
