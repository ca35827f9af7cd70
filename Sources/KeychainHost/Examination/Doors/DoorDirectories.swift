/// The directories in which other programs look for services and modules.
package struct DoorDirectories: Sendable, Hashable {
    /// Directories with descriptions of D-Bus services; the first description of a name counts.
    package let services: [String]
    /// Directories with descriptions of PKCS#11 modules for p11-kit.
    package let modules: [String]
    /// Directories in which p11-kit looks for a module without a directory in its description.
    package let libraries: [String]

    package init(services: [String], modules: [String], libraries: [String]) {
        self.services = services
        self.modules = modules
        self.libraries = libraries
    }

    /// Finds the directories of an environment.
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

    /// Returns the directories of the system's architectures, such as `/usr/lib/x86_64-linux-gnu`.
    private static func subdirectories(of directory: String) -> [String] {
        SmallFile.names(in: directory)
            .filter { $0.contains("-linux-") }.sorted()
            .map { "\(directory)/\($0)" }
    }
}
