import CSystemd

/// What the bus, or whoever answers on it, refused.
struct BusError: Error {
    /// The D-Bus name of the error; nil for one of the connection.
    let name: String?
}

/// A connection to the system's message bus.
struct SystemBus: ~Copyable {
    private let bus: OpaquePointer

    /// Connects to the bus at `DBUS_SYSTEM_BUS_ADDRESS`, else to the system's.
    init() throws(BusError) {
        var bus: OpaquePointer?
        guard sd_bus_open_system(&bus) >= 0, let bus else { throw BusError(name: nil) }
        self.bus = bus
    }

    deinit { sd_bus_flush_close_unref(bus) }

    /// What is polled for the next message.
    var descriptor: Int32 { sd_bus_get_fd(bus) }

    /// Calls a method whose arguments are texts.
    ///
    /// - Returns: What the body reads from the reply.
    /// - Throws: The error that came back.
    borrowing func call<R>(
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
    borrowing func listen(to object: BusMethod) throws(BusError) {
        let rule =
            "type='signal',sender='\(object.service)',path='\(object.path)',"
            + "interface='\(object.interface)'"
        // A handler that takes nothing leaves every message to `next`.
        guard sd_bus_add_match(bus, nil, rule, { _, _, _ in 0 }, nil) >= 0 else {
            throw BusError(name: nil)
        }
    }

    /// Hands over the next message that has arrived; nothing when there is none.
    ///
    /// - Returns: nil when there is none, else what the body makes of it.
    borrowing func next<R>(_ body: (BusMessage) -> R?) throws(BusError) -> Progress<R> {
        var message: OpaquePointer?
        let code = sd_bus_process(bus, &message)
        defer { sd_bus_message_unref(message) }
        guard code >= 0 else { throw BusError(name: nil) }
        guard code > 0 else { return .idle }
        return message.flatMap { body(BusMessage(message: $0)) }.map(Progress.value) ?? .worked
    }

    enum Progress<R> {
        /// Nothing has arrived.
        case idle
        /// Something was dealt with that is of no interest.
        case worked
        case value(R)
    }
}

/// A method, or the object that has it.
struct BusMethod {
    let service: String
    let path: String
    let interface: String
    var member = ""

    /// Another method of the object.
    func method(_ name: String) -> BusMethod {
        var method = self
        method.member = name
        return method
    }
}

/// A message that is being read, from its first argument on.
struct BusMessage {
    fileprivate static let text = CChar(UInt8(ascii: "s"))
    private static let path = CChar(UInt8(ascii: "o"))
    private static let flag = CChar(UInt8(ascii: "b"))
    private static let array = CChar(UInt8(ascii: "a"))

    fileprivate let message: OpaquePointer

    var member: String? { sd_bus_message_get_member(message).map { String(cString: $0) } }

    func text() -> String? { letters(Self.text) }

    func path() -> String? { letters(Self.path) }

    func flag() -> Bool? {
        var value: Int32 = 0
        return sd_bus_message_read_basic(message, Self.flag, &value) > 0 ? value != 0 : nil
    }

    func texts() -> [String] {
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
