import CSystemd
import Glibc

// fingerprint-mock FILE: an fprintd for tests, on the bus at DBUS_SYSTEM_BUS_ADDRESS. It reads FILE
// again for every call. FILE contains `absent`, or `finger NAME` for each enrolled finger and
// `verify WORD` for each status of a verification, in order. The mock writes `ready` once it has
// its name.

/// The present content of the file.
struct Script {
    var isAbsent = false
    var fingers: [String] = []
    var statuses: [String] = []

    init() {
        guard let path = CommandLine.arguments.dropFirst().first,
            let file = fopen(path, "re")
        else { return }
        defer { fclose(file) }
        var buffer = [CChar](repeating: 0, count: 200)
        while fgets(&buffer, Int32(buffer.count), file) != nil {
            let text = buffer.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }
            let words = String(decoding: text, as: UTF8.self).split(separator: " ").map(String.init)
            switch (words.first, words.last) {
            case ("absent"?, _): isAbsent = true
            case ("finger"?, let name?): fingers.append(name)
            case ("verify"?, let status?): statuses.append(status)
            default: break
            }
        }
    }
}

enum Mock {
    static let device = "/net/reactivated/Fprint/Device/0"
    static let interface = "net.reactivated.Fprint.Device"
    static let text = CChar(UInt8(ascii: "s"))
    static let array = CChar(UInt8(ascii: "a"))

    /// Answers a call by its member.
    static func handle(_ call: OpaquePointer) -> Int32 {
        let script = Script()
        switch sd_bus_message_get_member(call).map({ String(cString: $0) }) {
        case "GetDefaultDevice"?:
            guard !script.isAbsent else { return refuse(call, "NoSuchDevice") }
            return reply(call) { sd_bus_message_append_basic($0, CChar(UInt8(ascii: "o")), device) }
        case "ListEnrolledFingers"?:
            guard !script.fingers.isEmpty else { return refuse(call, "NoEnrolledPrints") }
            return reply(call) { message in
                sd_bus_message_open_container(message, array, "s")
                for name in script.fingers { sd_bus_message_append_basic(message, text, name) }
                return sd_bus_message_close_container(message)
            }
        case "Claim"?, "Release"?, "VerifyStop"?: return reply(call) { _ in 0 }
        case "VerifyStart"?:
            let code = reply(call) { _ in 0 }
            signal("VerifyFingerSelected", "any")
            for status in script.statuses { signal("VerifyStatus", status, isDone: true) }
            return code
        default: return 0
        }
    }

    private static func reply(_ call: OpaquePointer, _ fill: (OpaquePointer) -> Int32) -> Int32 {
        var message: OpaquePointer?
        defer { sd_bus_message_unref(message) }
        guard sd_bus_message_new_method_return(call, &message) >= 0, let message,
            fill(message) >= 0
        else { return -EIO }
        return sd_bus_send(nil, message, nil) < 0 ? -EIO : 1
    }

    private static func refuse(_ call: OpaquePointer, _ name: String) -> Int32 {
        var error = sd_bus_error()
        defer { sd_bus_error_free(&error) }
        sd_bus_error_set(&error, "net.reactivated.Fprint.Error." + name, "as the script says")
        return sd_bus_reply_method_error(call, &error) < 0 ? -EIO : 1
    }

    private static func signal(_ name: String, _ word: String, isDone: Bool? = nil) {
        var message: OpaquePointer?
        defer { sd_bus_message_unref(message) }
        guard let bus = connection,
            sd_bus_message_new_signal(bus, &message, device, interface, name) >= 0
        else { return }
        sd_bus_message_append_basic(message, text, word)
        if let isDone {
            var flag: Int32 = isDone ? 1 : 0
            sd_bus_message_append_basic(message, CChar(UInt8(ascii: "b")), &flag)
        }
        sd_bus_send(bus, message, nil)
    }
}

/// The bus of the process, on which `handle` sends.
nonisolated(unsafe) var connection: OpaquePointer?

guard sd_bus_open_system(&connection) >= 0, let bus = connection,
    sd_bus_add_fallback(
        bus,
        nil,
        "/net/reactivated/Fprint",
        { call, _, _ in call.map(Mock.handle) ?? 0 },
        nil
    ) >= 0,
    sd_bus_request_name(bus, "net.reactivated.Fprint", 0) >= 0
else { exit(1) }
puts("ready")
fflush(nil)
while true {
    let progress = sd_bus_process(bus, nil)
    guard progress >= 0, progress > 0 || sd_bus_wait(bus, UInt64.max) >= 0 else { exit(1) }
}
