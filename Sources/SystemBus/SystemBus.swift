import CSystemd
import Glibc

/// What the bus, or whoever answers on it, refused.
package struct BusError: Error {
    /// The D-Bus name of the error; nil for one of the connection.
    package let name: String?

    package init(name: String?) { self.name = name }
}

/// A connection to the system's message bus.
package struct SystemBus: ~Copyable {
    private let bus: OpaquePointer

    /// Connects to the bus at `DBUS_SYSTEM_BUS_ADDRESS`, else to the system's.
    package init() throws(BusError) {
        var bus: OpaquePointer?
        guard sd_bus_open_system(&bus) >= 0, let bus else { throw BusError(name: nil) }
        self.bus = bus
    }

    deinit { sd_bus_flush_close_unref(bus) }

    /// What is polled for the next message.
    package var descriptor: Int32 { sd_bus_get_fd(bus) }

    /// Calls a method whose arguments are texts.
    ///
    /// - Returns: What the body reads from the reply.
    /// - Throws: The error that came back.
    package borrowing func call<R>(
        _ method: BusMethod,
        _ arguments: [String] = [],
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
        guard code >= 0 else { throw BusError(name: nil) }
        for argument in arguments {
            guard sd_bus_message_append_basic(call, BusMessage.text, argument) >= 0 else {
                throw BusError(name: nil)
            }
        }
        var error = sd_bus_error()
        defer { sd_bus_error_free(&error) }
        var reply: OpaquePointer?
        defer { sd_bus_message_unref(reply) }
        guard sd_bus_call(bus, call, 0, &error, &reply) >= 0, let reply else {
            throw BusError(name: error.name.map { String(cString: $0) })
        }
        return body(BusMessage(message: reply))
    }

    /// Has the signals of an object delivered by `next`.
    package borrowing func listen(to object: BusMethod) throws(BusError) {
        try listen(
            to: "type='signal',sender='\(object.service)',path='\(object.path)',"
                + "interface='\(object.interface)'"
        )
    }

    /// Has the messages of a match rule delivered by `next`, among others that name this process.
    package borrowing func listen(to rule: String) throws(BusError) {
        // A handler that takes nothing leaves every message to `next`.
        guard sd_bus_add_match(bus, nil, rule, { _, _, _ in 0 }, nil) >= 0 else {
            throw BusError(name: nil)
        }
    }

    /// Hands over the next message that has arrived; nothing when there is none.
    ///
    /// - Returns: nil when there is none, else what the body makes of it.
    package borrowing func next<R>(_ body: (BusMessage) -> R?) throws(BusError) -> Progress<R> {
        var message: OpaquePointer?
        let code = sd_bus_process(bus, &message)
        defer { sd_bus_message_unref(message) }
        guard code >= 0 else { throw BusError(name: nil) }
        guard code > 0 else { return .idle }
        return message.flatMap { body(BusMessage(message: $0)) }.map(Progress.value) ?? .worked
    }

    package enum Progress<R> {
        /// Nothing has arrived.
        case idle
        /// Something was dealt with that is of no interest.
        case worked
        case value(R)
    }
}

/// A method, or the object that has it.
package struct BusMethod {
    package let service: String
    package let path: String
    package let interface: String
    package var member = ""

    package init(service: String, path: String, interface: String) {
        self.service = service
        self.path = path
        self.interface = interface
    }

    /// Another method of the object.
    package func method(_ name: String) -> BusMethod {
        var method = self
        method.member = name
        return method
    }
}

/// A message that is being read, from its first argument on.
package struct BusMessage {
    fileprivate static let text = CChar(UInt8(ascii: "s"))
    private static let path = CChar(UInt8(ascii: "o"))
    private static let flag = CChar(UInt8(ascii: "b"))
    private static let array = CChar(UInt8(ascii: "a"))
    private static let number = CChar(UInt8(ascii: "u"))
    private static let descriptor = CChar(UInt8(ascii: "h"))

    fileprivate let message: OpaquePointer

    package var member: String? { sd_bus_message_get_member(message).map { String(cString: $0) } }

    /// Who sent it, by the name that the bus gave.
    package var sender: String? { sd_bus_message_get_sender(message).map { String(cString: $0) } }

    package var interface: String? {
        sd_bus_message_get_interface(message).map { String(cString: $0) }
    }

    /// The object that it comes from.
    package var origin: String? { sd_bus_message_get_path(message).map { String(cString: $0) } }

    package func text() -> String? { letters(Self.text) }

    package func path() -> String? { letters(Self.path) }

    package func flag() -> Bool? {
        var value: Int32 = 0
        return sd_bus_message_read_basic(message, Self.flag, &value) > 0 ? value != 0 : nil
    }

    package func number() -> UInt32? {
        var value: UInt32 = 0
        return sd_bus_message_read_basic(message, Self.number, &value) > 0 ? value : nil
    }

    /// A descriptor of the caller's own, closed when another program runs.
    package func descriptor() -> Int32? {
        var lent: Int32 = -1
        guard sd_bus_message_read_basic(message, Self.descriptor, &lent) > 0 else { return nil }
        let own = fcntl(lent, F_DUPFD_CLOEXEC, 3)
        return own >= 0 ? own : nil
    }

    /// Reads on inside a container, such as `v` of `s`; the body reads all of it.
    ///
    /// - Returns: nil, and nothing is read, if there is none of that kind, or not all was read.
    package func inside<R>(_ kind: Unicode.Scalar, _ contents: String, _ body: () -> R?) -> R? {
        let kind = CChar(truncatingIfNeeded: kind.value)
        guard sd_bus_message_enter_container(message, kind, contents) > 0 else { return nil }
        let result = body()
        guard sd_bus_message_exit_container(message) >= 0 else { return nil }
        return result
    }

    package func texts() -> [String] {
        guard sd_bus_message_enter_container(message, Self.array, "s") > 0 else { return [] }
        var texts: [String] = []
        while let text = text() { texts.append(text) }
        return texts
    }

    private func letters(_ kind: CChar) -> String? {
        var start: UnsafePointer<CChar>?
        guard sd_bus_message_read_basic(message, kind, &start) > 0, let start else { return nil }
        return String(cString: start)
    }
}
