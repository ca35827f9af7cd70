import Glibc
import Secrets

/// The location of the daemon, and the trust in this process's environment.
struct AgentPlace {
    static let systemSocket = "/run/keychain/socket"

    /// Whether the program has more rights than its caller.
    ///
    /// Every program of the account can start it, so the environment must not decide which daemon
    /// gets a typed passcode.
    static var isProtected: Bool { RaisedGroup.isHeld }

    /// Whether the environment is ignored: the program is protected, and the machine has a daemon.
    static var isBound: Bool { isProtected && exists(systemSocket) }

    /// Returns the socket; nil if there is none.
    ///
    /// On a machine without the system daemon, a protected program gives up its protection.
    /// Otherwise the account's own daemon could not examine it.
    static func socket(_ named: String?) -> String? {
        if isBound { return systemSocket }
        let user = variable("XDG_RUNTIME_DIR").map { $0 + "/keychaind.sock" }
        let chosen = (named ?? variable("KEYCHAIN_SOCKET")).map { [$0] }
        let places = chosen ?? [systemSocket] + [user].compactMap(\.self)
        guard let place = places.first(where: exists) else { return chosen?.first }
        if isProtected, !RaisedGroup.drop() { return nil }
        return place
    }

    private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// The dialog program that the user chose; nil for root's choice.
    static var chosenDialog: String? { isProtected ? nil : variable("KEYCHAIN_PINENTRY") }

    static func variable(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}
