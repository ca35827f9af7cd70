/// Where other programs look for whoever answers them.
package struct DoorDirectories: Sendable, Hashable {
    /// Descriptions of services that a session bus starts; the first one of a name counts.
    package let services: [String]
    /// Descriptions of PKCS#11 modules that p11-kit loads.
    package let modules: [String]
    /// Where p11-kit finds a module whose description names no directory.
    package let libraries: [String]

    package init(services: [String], modules: [String], libraries: [String]) {
        self.services = services
        self.modules = modules
        self.libraries = libraries
    }

    /// Those of an environment.
    ///
    /// - Source: dbus-daemon(1), "session bus"; XDG Base Directory Specification; pkcs11.conf(5).
    package init(_ environment: ProcessEnvironment) {
        let home = environment["HOME"] ?? environment.accountHome
        let data = environment["XDG_DATA_HOME"] ?? home.map { $0 + "/.local/share" }
        let system = environment["XDG_DATA_DIRS"] ?? "/usr/local/share:/usr/share"
        let bases =
            [environment["XDG_RUNTIME_DIR"], data].compactMap(\.self)
            + system.split(separator: ":").map(String.init)
        services = bases.filter { $0.hasPrefix("/") }.map { $0 + "/dbus-1/services" }
        let settings = environment["XDG_CONFIG_HOME"] ?? home.map { $0 + "/.config" }
        modules =
            [settings.map { $0 + "/pkcs11/modules" }].compactMap(\.self)
            + ["/etc/pkcs11/modules", "/usr/local/share/p11-kit/modules"]
            + ["/usr/share/p11-kit/modules"]
        libraries =
            Self.subdirectories(of: "/usr/lib").map { $0 + "/pkcs11" }
            + ["/usr/lib/pkcs11", "/usr/local/lib/pkcs11"]
    }

    /// The directories of the system's architectures, such as `/usr/lib/x86_64-linux-gnu`.
    private static func subdirectories(of directory: String) -> [String] {
        SmallFile.names(in: directory)
            .filter { $0.contains("-linux-") }.sorted()
            .map { "\(directory)/\($0)" }
    }
}
