import Glibc

// Law: a dialog of a protected program gets no variable that it does not need. This does not stop
// an attacker who controls the display; it only makes an attack harder.

/// The variables of a dialog program that root chose.
enum DialogEnvironment {
    /// The variables that a dialog needs to find the screen, the session's bus and the language.
    private static let kept = [
        "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "XDG_SESSION_TYPE",
        busAddress, "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "TERM",
    ]
    private static let busAddress = "DBUS_SESSION_BUS_ADDRESS"
    private static let path = "/usr/bin:/bin"
    /// A path for modules that toolkits load from the home directory; here they find none.
    private static let nowhere = "/nonexistent"

    /// Selects from the variables of a session.
    ///
    /// - Parameter variable: The value of a variable; nil if it is unset or empty.
    /// - Returns: All variables of the dialog.
    static func variables(of variable: (String) -> String?) -> [String: String] {
        var found = ["PATH": path, "HOME": nowhere]
        for name in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"] {
            found[name] = nowhere
        }
        for name in kept { found[name] = variable(name) }
        if found[busAddress] == nil, let runtime = variable("XDG_RUNTIME_DIR") {
            // The path of systemd's bus, because pinentry-gnome3 uses only the variable.
            let bus = runtime + "/bus"
            if access(bus, F_OK) == 0 { found[busAddress] = "unix:path=" + bus }
        }
        return found
    }
}
