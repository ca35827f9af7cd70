import SecretServiceProtocol
import Secrets
import TestSupport
import Testing

/// A bench with an item, a session, a prompt and a further collection.
private struct Furnished {
    var bench = SecretServiceBench()
    let item: String
    let session: String
    let prompt: String
    let collection: String

    init() throws {
        item = try bench.item(["service": "mail"])
        session = try bench.session()
        let label: [String: BusValue] = [
            SecretServiceBench.collectionName + ".Label": .text("Work")
        ]
        let made = try bench.call(
            SecretServiceBench.service,
            SecretServiceBench.serviceName,
            "CreateCollection",
            [.properties(label), .text("")]
        )
        collection = made[0].path
        _ = try bench.store.lock()
        let waiting = try bench.call(
            SecretServiceBench.service,
            SecretServiceBench.serviceName,
            "Unlock",
            [.paths([SecretServiceBench.login])]
        )
        prompt = waiting[1].path
        bench.store.unlock()
    }

    /// The object that has an interface.
    func path(of interface: String, _ member: String) -> String {
        switch interface {
        case InterfaceTable.collectionName:
            member == "Delete" ? collection : SecretServiceBench.login
        case InterfaceTable.itemName, InterfaceTable.propertiesName: item
        case InterfaceTable.sessionName: session
        case InterfaceTable.promptName: prompt
        default: SecretServiceBench.service
        }
    }

    /// Arguments that the method of a row accepts.
    func arguments(of method: MethodRow) -> [BusValue] {
        method.inputs.map { argument in
            switch (argument.name, argument.type) {
            case ("algorithm", _): .text("plain")
            case ("interface", _): .text(SecretServiceBench.itemName)
            case ("property", _): .text("Label")
            case ("value", _): .variant(.text("A label"))
            case ("session", _): .path(session)
            case (_, "s"): .text("default")
            case (_, "v"): .variant(.text(""))
            case (_, "o"): .path(SecretServiceBench.login)
            case (_, "ao"): .paths([item])
            case (_, "b"): .flag(false)
            case (_, "a{ss}"): .attributes(["service": "mail"])
            case (_, "a{sv}"): .properties([:])
            case (_, "(oayays)"): .secret(.plain([1, 2], session))
            default: .other(signature: argument.type)
            }
        }
    }
}

@Suite(.requirement("SSV-01")) struct `The interfaces` {
    struct Method: Sendable, CustomTestStringConvertible {
        let interface: InterfaceRow
        let row: MethodRow
        var testDescription: String { "\(interface.name).\(row.name)" }

        static let all = InterfaceTable.rows.flatMap { interface in
            interface.methods.map { Method(interface: interface, row: $0) }
        }
    }

    struct Property: Sendable, CustomTestStringConvertible {
        let interface: InterfaceRow
        let row: PropertyRow
        var testDescription: String { "\(interface.name).\(row.name)" }

        static let all = InterfaceTable.rows.flatMap { interface in
            interface.properties.map { Property(interface: interface, row: $0) }
        }
    }

    /// What the draft lists, spelled out: a row that is lost would not miss its test.
    @Test func `are those of the draft`() {
        let methods = InterfaceTable.rows.flatMap { interface in
            interface.methods.map { row in
                "\(interface.name.split(separator: ".").last ?? "").\(row.name)"
                    + "(\(row.inputSignature))(\(row.outputSignature))"
            }
        }
        let expected = """
            Service.OpenSession(sv)(vo) Service.CreateCollection(a{sv}s)(oo) \
            Service.SearchItems(a{ss})(aoao) Service.Unlock(ao)(aoo) Service.Lock(ao)(aoo) \
            Service.GetSecrets(aoo)(a{o(oayays)}) Service.ReadAlias(s)(o) Service.SetAlias(so)() \
            Collection.Delete()(o) Collection.SearchItems(a{ss})(ao) \
            Collection.CreateItem(a{sv}(oayays)b)(oo) Item.Delete()(o) Item.GetSecret(o)((oayays)) \
            Item.SetSecret((oayays))() Session.Close()() Prompt.Prompt(s)() Prompt.Dismiss()() \
            Properties.Get(ss)(v) Properties.GetAll(s)(a{sv}) Properties.Set(ssv)() \
            Introspectable.Introspect()(s)
            """
        #expect(methods.joined(separator: " ") == expected)
        let properties = Property.all.map {
            "\($0.row.name):\($0.row.type)\($0.row.isWritable ? "!" : "")"
        }
        #expect(
            properties.joined(separator: " ") == """
                Collections:ao Items:ao Label:s! Locked:b Created:t Modified:t Locked:b \
                Attributes:a{ss}! Label:s! Created:t Modified:t
                """
        )
    }

    @Test(arguments: Method.all)
    func `answer each method with the types of its row`(method: Method) throws {
        var furnished = try Furnished()
        let path = furnished.path(of: method.interface.name, method.row.name)
        let arguments = furnished.arguments(of: method.row)
        let results = try furnished.bench.call(
            path,
            method.interface.name,
            method.row.name,
            arguments
        )
        #expect(results.map(\.signature).joined() == method.row.outputSignature)
    }

    @Test(arguments: Method.all)
    func `refuse each method with arguments of other types`(method: Method) throws {
        var furnished = try Furnished()
        let path = furnished.path(of: method.interface.name, method.row.name)
        let arguments = furnished.arguments(of: method.row) + [.other(signature: "h")]
        #expect(throws: SecretServiceError(.invalidArguments, "")) {
            try furnished.bench.call(path, method.interface.name, method.row.name, arguments)
        }
    }

    @Test(arguments: Property.all)
    func `return each property with its type`(property: Property) throws {
        var furnished = try Furnished()
        let path = furnished.path(of: property.interface.name, "")
        let value = try furnished.bench.property(
            property.row.name,
            of: path,
            property.interface.name
        )
        #expect(value.signature == property.row.type)
        let all = try furnished.bench.call(
            path,
            InterfaceTable.propertiesName,
            "GetAll",
            [.text(property.interface.name)]
        )
        guard case .properties(let values)? = all.first else {
            throw SecretServiceError(.failed, "")
        }
        #expect(values[property.row.name]?.signature == property.row.type)
    }

    @Test(arguments: Property.all)
    func `set each property that can be written, and no other`(property: Property) throws {
        var furnished = try Furnished()
        let path = furnished.path(of: property.interface.name, "")
        let value: BusValue =
            property.row.type == "a{ss}" ? .attributes(["x": "y"]) : .text("Another")
        let arguments: [BusValue] = [
            .text(property.interface.name), .text(property.row.name), .variant(value),
        ]
        let name = InterfaceTable.propertiesName
        guard property.row.isWritable else {
            #expect(throws: SecretServiceError(.readOnly, "")) {
                try furnished.bench.call(path, name, "Set", arguments)
            }
            return
        }
        try furnished.bench.call(path, name, "Set", arguments)
        #expect(furnished.bench.changedProperties.contains(property.row.name))
        let read = try furnished.bench.property(
            property.row.name,
            of: path,
            property.interface.name
        )
        #expect(read.words == value.words)
        let wrong: [BusValue] = arguments.dropLast() + [.variant(.flag(true))]
        #expect(throws: SecretServiceError(.invalidArguments, "")) {
            try furnished.bench.call(path, name, "Set", wrong)
        }
    }

    /// The beginnings of the elements that describe an interface.
    private static func elements(of row: InterfaceRow) -> [String] {
        let methods: [String] = row.methods.map { "<method name=\"\($0.name)\"" }
        let signals: [String] = row.signals.map { "<signal name=\"\($0.name)\"" }
        let properties: [String] = row.properties.map { "<property name=\"\($0.name)\"" }
        return ["<interface name=\"\(row.name)\">"] + methods + signals + properties
    }

    @Test(arguments: ObjectKind.allCases)
    func `are described by introspection`(kind: ObjectKind) throws {
        var furnished = try Furnished()
        let rows = InterfaceTable.rows(of: kind)
        let path = furnished.path(of: rows[0].name, "")
        let page = try furnished.bench.call(path, nil, "Introspect")[0].text
        let elements = rows.flatMap(Self.elements)
        #expect(elements.filter { !page.contains($0) } == [])
    }

    @Test(arguments: [
        "/", "/org", "/org/freedesktop", "/org/freedesktop/secrets/collection",
        "/org/freedesktop/secrets/session", "/org/freedesktop/secrets/prompt",
        "/org/freedesktop/secrets/aliases",
    ])
    func `lead from path to path`(path: String) throws {
        var furnished = try Furnished()
        let page = try furnished.bench.call(path, nil, "Introspect")[0].text
        #expect(page.contains("<node name="))
        #expect(throws: SecretServiceError(.noSuchObject, "")) {
            try furnished.bench.call(path, nil, "Close")
        }
    }

    struct Stray: Sendable, CustomTestStringConvertible {
        let path: String
        let interface: String?
        let member: String
        let kind: SecretServiceError.Kind
        var testDescription: String { "\(path) \(interface ?? "-") \(member)" }

        static let root = SecretServiceBench.service
        static let all: [Stray] = [
            .init(path: root, interface: "org.example", member: "X", kind: .unknownInterface),
            .init(path: root, interface: nil, member: "X", kind: .unknownMethod),
            .init(
                path: root,
                interface: InterfaceTable.itemName,
                member: "GetSecret",
                kind: .unknownInterface
            ),
            .init(path: root + "/", interface: nil, member: "Delete", kind: .noSuchObject),
            .init(path: root + "x", interface: nil, member: "Delete", kind: .noSuchObject),
            .init(path: "", interface: nil, member: "Introspect", kind: .noSuchObject),
            .init(
                path: root + "/collection/no",
                interface: nil,
                member: "Delete",
                kind: .noSuchObject
            ),
            .init(
                path: root + "/collection/login/77",
                interface: nil,
                member: "Delete",
                kind: .noSuchObject
            ),
            .init(
                path: root + "/collection/a/b/c",
                interface: nil,
                member: "Delete",
                kind: .noSuchObject
            ),
            .init(
                path: root + "/aliases/no",
                interface: nil,
                member: "Delete",
                kind: .noSuchObject
            ),
            .init(path: root + "/prompt/1", interface: nil, member: "Prompt", kind: .noSuchObject),
            .init(path: root + "/prompt/01", interface: nil, member: "Prompt", kind: .noSuchObject),
            .init(path: root + "/session/99", interface: nil, member: "Close", kind: .noSession),
            .init(
                path: root + "/session/99999999999999999999",
                interface: nil,
                member: "Close",
                kind: .noSuchObject
            ),
            .init(
                path: root + "/collection/" + String(repeating: "a", count: 300),
                interface: nil,
                member: "Delete",
                kind: .noSuchObject
            ),
        ]
    }

    @Test(arguments: Stray.all)
    func `have no more than there is`(stray: Stray) {
        var bench = SecretServiceBench()
        #expect(throws: SecretServiceError(stray.kind, "")) {
            try bench.call(stray.path, stray.interface, stray.member)
        }
    }
}
