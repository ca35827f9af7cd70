import CSystemd
import Glibc

// Functions for a program that offers an object. `next` also returns method calls, because no
// handler consumes them.
extension SystemBus {
    /// Requests a well-known name.
    ///
    /// - Parameters:
    ///   - name: The name; another program may replace this one later.
    ///   - replaces: Whether this program replaces an owner of the name that permits it.
    /// - Returns: Whether this program now has the name.
    /// - Throws: `BusError` if the bus is gone.
    package borrowing func take(name: String, replacing replaces: Bool) throws(BusError) -> Bool {
        let allowsReplacement: UInt64 = 1 << 1
        let flags = allowsReplacement | (replaces ? 1 << 0 : 0)
        let code = sd_bus_request_name(bus, name, flags)
        if code == -EEXIST || code == -EALREADY { return code == -EALREADY }
        guard code >= 0 else { throw BusError(name: nil) }
        return true
    }

    /// Replies to a call; wipes reply and call when they are freed.
    package borrowing func reply(
        to call: BusMessage,
        writing results: (BusArguments) throws(BusError) -> Void
    ) throws(BusError) {
        var reply: OpaquePointer?
        defer { sd_bus_message_unref(reply) }
        guard sd_bus_message_new_method_return(call.message, &reply) >= 0, let reply,
            sd_bus_message_sensitive(reply) >= 0
        else { throw BusError(name: nil) }
        try results(BusArguments(message: reply))
        try send(reply)
    }

    /// Replies to a call with an error.
    package borrowing func refuse(
        _ call: BusMessage,
        name: String,
        reason: String
    ) throws(BusError) {
        var error = sd_bus_error()
        defer { sd_bus_error_free(&error) }
        _ = sd_bus_error_set(&error, name, reason)
        guard sd_bus_reply_method_error(call.message, &error) >= 0 else {
            throw BusError(name: nil)
        }
    }

    /// Sends a signal of an object to one client or, without a receiver, to all listeners.
    package borrowing func emit(
        _ signal: BusMethod,
        to receiver: String? = nil,
        writing arguments: (BusArguments) throws(BusError) -> Void
    ) throws(BusError) {
        var message: OpaquePointer?
        defer { sd_bus_message_unref(message) }
        let code = sd_bus_message_new_signal(
            bus,
            &message,
            signal.path,
            signal.interface,
            signal.member
        )
        guard code >= 0, let message else { throw BusError(name: nil) }
        if let receiver, sd_bus_message_set_destination(message, receiver) < 0 {
            throw BusError(name: nil)
        }
        try arguments(BusArguments(message: message))
        try send(message)
    }

    private borrowing func send(_ message: OpaquePointer) throws(BusError) {
        guard sd_bus_send(bus, message, nil) >= 0 else { throw BusError(name: nil) }
    }

    /// Waits until the bus or another descriptor is ready, up to a time limit.
    package borrowing func wait(
        orFor other: Int32,
        atMost duration: Duration
    ) throws(BusError) {
        let events = sd_bus_get_events(bus)
        guard events >= 0 else { throw BusError(name: nil) }
        var polled = [
            pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0),
            pollfd(fd: other, events: Int16(POLLIN), revents: 0),
        ]
        var milliseconds = Int32(clamping: Int64(max(0, duration / .milliseconds(1))))
        var deadline: UInt64 = 0
        if sd_bus_get_timeout(bus, &deadline) > 0, deadline != UInt64.max {
            var now = timespec()
            clock_gettime(CLOCK_MONOTONIC, &now)
            let present = UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1_000
            let left = deadline > present ? (deadline - present) / 1_000 + 1 : 0
            milliseconds = min(milliseconds, Int32(clamping: left))
        }
        guard poll(&polled, nfds_t(polled.count), milliseconds) >= 0 || errno == EINTR else {
            throw BusError(name: nil)
        }
    }

    /// Returns the process of a client, from the bus; nil if the bus does not report it.
    package borrowing func process(of client: String) -> Int32? {
        let daemon = BusMethod(
            service: "org.freedesktop.DBus",
            path: "/org/freedesktop/DBus",
            interface: "org.freedesktop.DBus"
        )
        let number = try? call(daemon.method("GetConnectionUnixProcessID"), [client]) {
            $0.number()
        }
        return (number ?? nil).flatMap { Int32(exactly: $0) }
    }
}
