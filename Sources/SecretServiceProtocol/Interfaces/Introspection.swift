/// The description of an object in D-Bus's XML.
enum Introspection {
    private static let head = """
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">

        """

    /// Describes an object.
    ///
    /// - Parameters:
    ///   - interfaces: The interfaces of the object.
    ///   - children: The last elements of the paths directly below it.
    /// - Returns: The XML.
    static func page(_ interfaces: [InterfaceRow], children: [String]) -> String {
        var lines = ["<node>"]
        for interface in interfaces { lines += describe(interface) }
        lines += children.map { " <node name=\"\($0)\"/>" }
        return head + (lines + ["</node>", ""]).joined(separator: "\n")
    }

    private static func describe(_ interface: InterfaceRow) -> [String] {
        var lines = [" <interface name=\"\(interface.name)\">"]
        for method in interface.methods {
            let arguments =
                method.inputs.map { argument($0, " direction=\"in\"") }
                + method.outputs.map { argument($0, " direction=\"out\"") }
            lines += element("method", method.name, arguments)
        }
        for property in interface.properties { lines += describe(property) }
        for signal in interface.signals {
            lines += element("signal", signal.name, signal.arguments.map { argument($0, "") })
        }
        return lines + [" </interface>"]
    }

    private static func describe(_ property: PropertyRow) -> [String] {
        let access = property.isWritable ? "readwrite" : "read"
        let start =
            "  <property name=\"\(property.name)\" type=\"\(property.type)\" access=\"\(access)\""
        guard !property.isAnnounced else { return [start + "/>"] }
        let annotation = "org.freedesktop.DBus.Property.EmitsChangedSignal"
        return [
            start + ">", "   <annotation name=\"\(annotation)\" value=\"false\"/>",
            "  </property>",
        ]
    }

    private static func element(_ kind: String, _ name: String, _ lines: [String]) -> [String] {
        guard !lines.isEmpty else { return ["  <\(kind) name=\"\(name)\"/>"] }
        return ["  <\(kind) name=\"\(name)\">"] + lines + ["  </\(kind)>"]
    }

    private static func argument(_ row: ArgumentRow, _ direction: String) -> String {
        "   <arg name=\"\(row.name)\" type=\"\(row.type)\"\(direction)/>"
    }
}
