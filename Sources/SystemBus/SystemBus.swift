import CSystemd
import Glibc

/// An error of the bus, or of a program on it.
package struct BusError: Error {
    /// The D-Bus name of the error; nil for an error of the connection.
    package let name: String?

    package init(name: String?) { self.name = name }
}

/// A connection to a message bus: the system's, or that of the user's session.
package struct SystemBus: ~Copyable {
    /// The kind of bus.
    package enum Kind {
        /// The bus at `DBUS_SYSTEM_BUS_ADDRESS`, or else the system's default.
        case system
        /// The bus at `DBUS_SESSION_BUS_ADDRESS`, or else the one in `XDG_RUNTIME_DIR`.
        case session
        /// The bus at an address.
        case at(String)
    }

    let bus: OpaquePointer

    /// Connects to a bus.
    package init(_ kind: Kind = .system) throws(BusError) {
        var bus: OpaquePointer?
        let code =
            switch kind {
            case .system: sd_bus_open_system(&bus)
            case .session: sd_bus_open_user(&bus)
            case .at(let address): Self.open(address, &bus)
            }
        guard code >= 0, let bus else { throw BusError(name: nil) }
        self.bus = bus
    }

    private static func open(_ address: String, _ bus: inout OpaquePointer?) -> Int32 {
        var made: OpaquePointer?
        guard sd_bus_new(&made) >= 0, let made else { return -1 }
        guard sd_bus_set_address(made, address) >= 0, sd_bus_set_bus_client(made, 1) >= 0,
            sd_bus_start(made) >= 0
        else {
            sd_bus_unref(made)
            return -1
        }
        bus = made
        return 0
    }

    deinit { sd_bus_flush_close_unref(bus) }

    /// The descriptor to poll for the next message.
    package var descriptor: Int32 { sd_bus_get_fd(bus) }

    /// Calls a method with text arguments.
    ///
    /// - Returns: The body's result from the reply.
    /// - Throws: The error in the reply.
    package borrowing func call<R>(
        _ method: BusMethod,
        _ arguments: [String] = [],
        reading body: (BusMessage) -> R
    ) throws(BusError) -> R {
        try call(
            method,
            writing: { message throws(BusError) in
                for argument in arguments { try message.text(argument) }
            },
            reading: body
        )
    }

    /// Calls a method with arguments of any type; wipes call and reply when they are freed.
    ///
    /// - Returns: The body's result from the reply.
    /// - Throws: The error in the reply.
    package borrowing func call<R>(
        _ method: BusMethod,
        writing arguments: (BusArguments) throws(BusError) -> Void,
        reading body: (BusMessage) -> R
    ) throws(BusError) -> R {
        var call: OpaquePointer?
        let code = sd_bus_message_new_method_call(
            bus,
            &call,
            method.service,
            method.path,
            method.interface,
            method.member
        )
        defer { sd_bus_message_unref(call) }
        guard code >= 0, let call, sd_bus_message_sensitive(call) >= 0 else {
            throw BusError(name: nil)
        }
        try arguments(BusArguments(message: call))
        var error = sd_bus_error()
        defer { sd_bus_error_free(&error) }
        var reply: OpaquePointer?
        defer { sd_bus_message_unref(reply) }
        guard sd_bus_call(bus, call, 0, &error, &reply) >= 0, let reply else {
            throw BusError(name: error.name.map { String(cString: $0) })
        }
        guard sd_bus_message_sensitive(reply) >= 0 else { throw BusError(name: nil) }
        return body(BusMessage(message: reply))
    }

    /// Makes `next` return the signals of an object.
    package borrowing func listen(to object: BusMethod) throws(BusError) {
        try listen(
            to: "type='signal',sender='\(object.service)',path='\(object.path)',"
                + "interface='\(object.interface)'"
        )
    }

    /// Makes `next` return messages that match a rule, along with others for this process.
    package borrowing func listen(to rule: String) throws(BusError) {
        // A handler that consumes nothing leaves every message to `next`.
        guard sd_bus_add_match(bus, nil, rule, { _, _, _ in 0 }, nil) >= 0 else {
            throw BusError(name: nil)
        }
    }

    /// Passes the next message that has arrived to the body.
    ///
    /// - Returns: The body's result, or whether there was no message, or none that matters.
    package borrowing func next<R>(_ body: (BusMessage) -> R?) throws(BusError) -> Progress<R> {
        var message: OpaquePointer?
        let code = sd_bus_process(bus, &message)
        defer { sd_bus_message_unref(message) }
        guard code >= 0 else { throw BusError(name: nil) }
        guard code > 0 else { return .idle }
        return message.flatMap { body(BusMessage(message: $0)) }.map(Progress.value) ?? .worked
    }

    /// Waits until a message arrives, up to a time limit.
    package borrowing func wait(atMost duration: Duration) throws(BusError) {
        let microseconds = UInt64(max(0, duration / .microseconds(1)))
        guard sd_bus_wait(bus, microseconds) >= 0 else { throw BusError(name: nil) }
    }

    package enum Progress<R> {
        /// No message has arrived.
        case idle
        /// A message was handled that does not matter.
        case worked
        case value(R)
    }
}
