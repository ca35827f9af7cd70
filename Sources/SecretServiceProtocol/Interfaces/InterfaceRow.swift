/// The kinds of objects that have an interface of the Secret Service.
package enum ObjectKind: String, Sendable, CaseIterable {
    case service, collection, item, session, prompt
}

/// An argument of a method or signal.
package struct ArgumentRow: Sendable {
    package let name: String
    /// As D-Bus spells the type.
    package let type: String

    init(_ name: String, _ type: String) {
        self.name = name
        self.type = type
    }
}

/// A call on the way to its handler: its object is known, its arguments have the row's types.
struct CheckedCall {
    let sender: String
    /// Never an alias.
    let object: ObjectPath
    let arguments: [BusValue]
}

/// A method of an interface.
package struct MethodRow: Sendable {
    typealias Run =
        @Sendable (inout SecretServiceMachine, CheckedCall) throws(SecretServiceError) -> [BusValue]

    package let name: String
    package let inputs: [ArgumentRow]
    package let outputs: [ArgumentRow]
    let run: Run

    init(
        _ name: String,
        in inputs: [ArgumentRow] = [],
        out outputs: [ArgumentRow] = [],
        _ run: @escaping Run
    ) {
        self.name = name
        self.inputs = inputs
        self.outputs = outputs
        self.run = run
    }

    package var inputSignature: String { inputs.map(\.type).joined() }
    package var outputSignature: String { outputs.map(\.type).joined() }
}

/// A property of an interface.
package struct PropertyRow: Sendable {
    typealias Get =
        @Sendable (inout SecretServiceMachine, ObjectPath) throws(SecretServiceError) -> BusValue
    typealias Set =
        @Sendable (inout SecretServiceMachine, ObjectPath, BusValue) throws(SecretServiceError) ->
        Void

    package let name: String
    package let type: String
    /// Whether `PropertiesChanged` tells of its changes.
    package let isAnnounced: Bool
    let get: Get
    /// nil for a property that is read only.
    let set: Set?

    init(
        _ name: String,
        _ type: String,
        isAnnounced: Bool = true,
        get: @escaping Get,
        set: Set? = nil
    ) {
        self.name = name
        self.type = type
        self.isAnnounced = isAnnounced
        self.get = get
        self.set = set
    }

    package var isWritable: Bool { self.set != nil }
}

/// A signal of an interface.
package struct SignalRow: Sendable {
    package let name: String
    package let arguments: [ArgumentRow]

    init(_ name: String, _ arguments: [ArgumentRow]) {
        self.name = name
        self.arguments = arguments
    }
}

/// An interface with everything that it has.
package struct InterfaceRow: Sendable {
    package let name: String
    /// The objects that have it.
    package let objects: Swift.Set<ObjectKind>
    package let methods: [MethodRow]
    package let properties: [PropertyRow]
    package let signals: [SignalRow]

    init(
        _ name: String,
        _ objects: Swift.Set<ObjectKind>,
        methods: [MethodRow],
        properties: [PropertyRow] = [],
        signals: [SignalRow] = []
    ) {
        self.name = name
        self.objects = objects
        self.methods = methods
        self.properties = properties
        self.signals = signals
    }
}
