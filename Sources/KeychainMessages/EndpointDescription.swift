/// The destination of an endpoint, described for people.
package struct EndpointDescription: Sendable, Hashable {
    /// The kinds, with their words in `keychainctl status --json`.
    package enum Kind: String, CaseIterable, Sendable, Hashable {
        case embedded
        case userDaemon = "user-daemon"
        case systemDaemon = "system-daemon"
        case simulated
    }

    package let kind: Kind
    /// The directory, the socket or the device's name; nil if there is none.
    package let place: String?

    package init(_ kind: Kind, place: String? = nil) {
        self.kind = kind
        self.place = place
    }
}
