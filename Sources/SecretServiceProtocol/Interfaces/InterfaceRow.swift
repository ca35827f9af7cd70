/// The kinds of objects in the Secret Service, each with its interfaces.
package enum ObjectKind: String, Sendable, CaseIterable {
    case service, collection, item, session, prompt
}

/// An argument of a method or signal.
package struct ArgumentRow: Sendable {
    package let name: String
    /// The type in D-Bus's notation.
    package let type: String

    init(_ name: String, _ type: String) {
        self.name = name
        self.type = type
    }
}

/// A call with its object resolved, and with arguments that have the types of the row.
struct CheckedCall {
    let sender: String
    /// The object, with aliases resolved.
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
    /// Whether `PropertiesChanged` announces its changes.
    package let isAnnounced: Bool
    let get: Get
    /// Sets the value; nil for a read-only property.
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

/// An interface with its methods, properties and signals.
package struct InterfaceRow: Sendable {
    package let name: String
    /// The kinds of objects that have the interface.
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
