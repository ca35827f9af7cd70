import SystemBus

/// One question to logind, over a connection of its own.
package enum LoginLookup {
    private static let name = "org.freedesktop.login1"

    /// The session that a process belongs to; nil if there is none, or nobody to ask.
    ///
    /// For a daemon that does not see the processes of other accounts in `/proc`.
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
