import CSystemd

// Calls whose reply arrives through `next`, among the other messages. While `call` waits, it keeps
// everything else that arrives; a caller that strangers can flood cannot afford that.
extension SystemBus {
    /// Sends a call without waiting for its reply.
    ///
    /// - Returns: The number of the call, which is `answeredCall` in its reply.
    package borrowing func ask(
        _ method: BusMethod,
        _ arguments: [String] = []
    ) throws(BusError) -> UInt64 {
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
        guard code >= 0, let call else { throw BusError(name: nil) }
        let message = BusArguments(message: call)
        for argument in arguments { try message.text(argument) }
        var number: UInt64 = 0
        guard sd_bus_send(bus, call, &number) >= 0 else { throw BusError(name: nil) }
        return number
    }
}

extension BusMessage {
    /// The number of the call that the message replies to; nil if it is no reply.
    package var answeredCall: UInt64? {
        var number: UInt64 = 0
        return sd_bus_message_get_reply_cookie(message, &number) >= 0 ? number : nil
    }

    /// The error in a reply; nil if the call succeeded.
    package var failure: BusError? {
        guard sd_bus_message_is_method_error(message, nil) > 0 else { return nil }
        let name = sd_bus_message_get_error(message).flatMap { $0.pointee.name }
        return BusError(name: name.map { String(cString: $0) })
    }
}
