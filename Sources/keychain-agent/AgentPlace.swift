import Glibc
import Secrets

/// Where the daemon is, and what of its surroundings this process may believe.
struct AgentPlace {
    static let systemSocket = "/run/keychain/socket"

    /// Whether the program has more rights than whoever started it: every program of the account
    /// can start it, so nothing that they say may decide which daemon gets a typed passcode.
    static var isProtected: Bool { RaisedGroup.isHeld }

    /// Whether nothing in the environment counts: the machine's daemon is there.
    static var isBound: Bool { isProtected && exists(systemSocket) }

    /// The socket; nil if there is none.
    ///
    /// On a machine without the system daemon a protected program gives its protection up for the
    /// daemon of its own account, which could not look at it otherwise.
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

    /// The dialog program that a person chose; nil for root's choice.
    static var chosenDialog: String? { isProtected ? nil : variable("KEYCHAIN_PINENTRY") }

    static func variable(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}
