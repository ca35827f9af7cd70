/// A method call that arrived from the bus.
package struct BusCall: Sendable {
    /// The unique name of the client.
    package let sender: String
    /// The path of the client's program; nil if programs are not separated.
    package let program: String?
    package let path: String
    /// The interface; nil if the client leaves the choice to the service.
    package let interface: String?
    package let member: String
    package let arguments: [BusValue]

    package init(
        sender: String,
        program: String? = nil,
        path: String,
        interface: String?,
        member: String,
        arguments: [BusValue] = []
    ) {
        self.sender = sender
        self.program = program
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }

    /// The types of all arguments.
    var signature: String { arguments.map(\.signature).joined() }
}

/// A signal that the service sends.
package struct BusSignal: Sendable {
    package let path: String
    package let interface: String
    package let member: String
    package let arguments: [BusValue]
    /// The only client that receives the signal; nil for all listeners.
    package let receiver: String?

    /// Returns the same signal for one client.
    func addressed(to client: String) -> BusSignal {
        BusSignal(path, interface, member, arguments, to: client)
    }

    init(
        _ path: String,
        _ interface: String,
        _ member: String,
        _ arguments: [BusValue],
        to receiver: String? = nil
    ) {
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
        self.receiver = receiver
    }
}
