import SystemBus

/// A single query to logind, over a separate connection.
package enum LoginLookup {
    private static let name = "org.freedesktop.login1"

    /// Returns the session of a process; nil if there is none, or if logind is unreachable.
    ///
    /// A daemon that cannot see other accounts' processes in `/proc` needs this.
    package static func session(ofProcess processID: Int32) -> String? {
        guard let number = UInt32(exactly: processID), let bus = try? SystemBus() else {
            return nil
        }
        let manager = BusMethod(
            service: name,
            path: "/org/freedesktop/login1",
            interface: "org.freedesktop.login1.Manager"
        )
        let found = try? bus.call(
            manager.method("GetSessionByPID"),
            writing: { message throws(BusError) in try message.number(number) },
            reading: { $0.path() }
        )
        guard let path = found ?? nil else { return nil }
        let properties = BusMethod(
            service: name,
            path: path,
            interface: "org.freedesktop.DBus.Properties"
        )
        let id = try? bus.call(properties.method("Get"), ["\(name).Session", "Id"]) { value in
            value.inside("v", "s") { value.text() }
        }
        return id ?? nil
    }
}
