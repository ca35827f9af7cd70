import KeychainMessages

/// The programs that see a stored item.
package enum Sharing: String, Sendable {
    /// Every program of the session.
    case shared
    /// The program itself; in the collection Login, also programs with a grant.
    case apart

    /// Returns the choice, or else the default for the keychain.
    ///
    /// If each program of the account can open the keychain itself, the door separates nothing
    /// either.
    package static func chosen(_ choice: Sharing?, _ kind: EndpointDescription.Kind) -> Sharing {
        choice ?? (kind == .systemDaemon ? .apart : .shared)
    }
}

/// The options of the command line.
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

        The program prints org.freedesktop.secrets when it serves. It ends when another program
        takes its place, or when the bus ends. Exit status: 0 then; 1 if it cannot serve; 2 for
        wrong usage.

        Example: keychain-secret-service --replace

        """

    package enum Command: Sendable, Equatable {
        case help
        case version
        case serve(ServiceOptions)
    }

    package var replaces = false
    /// The sharing; nil for the keychain's default.
    package var sharing: Sharing?
    /// The address of the bus; nil for the session's bus.
    package var bus: String?

    /// A mistake in the arguments, as a sentence.
    package struct UsageError: Error, Sendable, Hashable {
        package let reason: String
    }

    /// Parses the arguments after the program's name.
    package static func parse(_ arguments: [String]) throws(UsageError) -> Command {
        var options = ServiceOptions()
        var rest = arguments[...]
        while let word = rest.popFirst() {
            switch word {
            case "--help", "-h": return .help
            case "--version": return .version
            case "--replace": options.replaces = true
            case "--shared": try options.share(.shared)
            case "--apart": try options.share(.apart)
            case "--bus":
                guard let address = rest.popFirst(), !address.isEmpty else {
                    throw UsageError(reason: "--bus needs an address")
                }
                options.bus = address
            default:
                let kind = word.hasPrefix("-") ? "option" : "argument"
                throw UsageError(reason: "unknown \(kind) \(word)")
            }
        }
        return .serve(options)
    }

    private mutating func share(_ choice: Sharing) throws(UsageError) {
        guard sharing ?? choice == choice else {
            throw UsageError(reason: "--shared and --apart exclude each other")
        }
        sharing = choice
    }
}
