import KeychainMessages

/// Who sees what a program stored.
package enum Sharing: String, Sendable {
    /// Every program of the session.
    case shared
    /// The program itself, and in the collection Login whoever was granted it.
    case apart

    /// What is chosen, else what fits the keychain.
    ///
    /// Where each program of the account can open the keychain itself, nothing is kept apart by
    /// the door either.
    package static func chosen(_ choice: Sharing?, _ kind: EndpointDescription.Kind) -> Sharing {
        choice ?? (kind == .systemDaemon ? .apart : .shared)
    }
}

/// What the command line asks for.
package struct ServiceOptions: Sendable, Equatable {
    package static let usage = """
        usage: keychain-secret-service [--replace] [--shared | --apart] [--bus ADDRESS]
               keychain-secret-service --help | --version

        Offer the keychain on the session bus as org.freedesktop.secrets: to libsecret, Python's
        keyring, browsers and mail programs.

          --replace      take the place of the program that offers the service now
          --shared       every program of the session sees every item, as desktops do it
          --apart        a program sees its own items, and Login once a person grants it
                         [--apart with the daemon of the machine, else --shared]
          --bus ADDRESS  the bus to use [DBUS_SESSION_BUS_ADDRESS, else $XDG_RUNTIME_DIR/bus]
          --help         print this text
          --version      print the version

        The program prints one line when it serves. It ends when another program takes its place, or
        when the bus ends. Exit status: 0 then; 1 if it cannot serve; 2 for wrong usage.

        Example: keychain-secret-service --replace

        """

    package enum Command: Sendable, Equatable {
        case help
        case version
        case serve(ServiceOptions)
    }

    package var replaces = false
    /// nil for what fits the keychain.
    package var sharing: Sharing?
    /// nil for the session's bus.
    package var bus: String?

    /// Returns nil for wrong usage.
    package static func parse(_ arguments: [String]) -> Command? {
        var options = ServiceOptions()
        var rest = arguments[...]
        while let word = rest.popFirst() {
            switch word {
            case "--help", "-h": return .help
            case "--version": return .version
            case "--replace": options.replaces = true
            case "--shared" where options.sharing != .apart: options.sharing = .shared
            case "--apart" where options.sharing != .shared: options.sharing = .apart
            case "--bus":
                guard let address = rest.popFirst(), !address.isEmpty else { return nil }
                options.bus = address
            default: return nil
            }
        }
        return .serve(options)
    }
}
