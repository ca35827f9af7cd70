/// The unit of a system service in `/proc/PID/cgroup`.
///
/// - Source: cgroups(7); the hierarchy of slices in systemd.slice(5).
enum ControlGroup {
    /// Returns the unit, such as `shop.service`; nil for a user's process, and for any other one.
    ///
    /// Uses the unified hierarchy, or systemd's if the unified one has no unit.
    static func systemUnit(_ bytes: [UInt8]) -> String? {
        var unified: String?
        var own: String?
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let parts = line.split(
                separator: UInt8(ascii: ":"),
                maxSplits: 2,
                omittingEmptySubsequences: false
            )
            guard parts.count == 3, let path = String(validating: parts[2], as: UTF8.self) else {
                continue
            }
            if parts[0].elementsEqual("0".utf8), parts[1].isEmpty {
                unified = path
            } else if parts[1].elementsEqual("name=systemd".utf8) {
                own = path
            }
        }
        if let unified, unified != "/" { return unit(of: unified) }
        return own.flatMap(unit)
    }

    /// Returns the service below `/system.slice`, whatever groups it created below its own.
    private static func unit(of path: String) -> String? {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false)[...]
        guard parts.popFirst()?.isEmpty == true, parts.popFirst() == "system.slice" else {
            return nil
        }
        let rest = parts.drop { $0.hasSuffix(".slice") }
        guard let name = rest.first, name.hasSuffix(".service"), name.utf8.count <= 255 else {
            return nil
        }
        return String(name)
    }
}
